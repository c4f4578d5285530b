// explore/plan/memo.h
//
// What is known about a program's iRoots, over all its executions, inputs and
// builds (Maple, section 5), and which of them to force next. What holds for
// other things that executions may show as well is in explore/plan/knowledge.h.
//
// Unsound: that what was exposed need not be forced again holds only for bugs
// that do not depend on values.

#ifndef FAIRLEAD_EXPLORE_PLAN_MEMO_H_
#define FAIRLEAD_EXPLORE_PLAN_MEMO_H_

#include <cstdint>
#include <optional>

#include "explore/plan/knowledge.h"
#include "explore/watch/iroot_watch.h"
#include "finding/coverage.h"

namespace fairlead::explore {

struct MemoEntry : Known {
  using Key = IRoot;
  using Hash = analysis::iroot::IRootHash;

  explicit MemoEntry(const IRoot& key) : root(key) {}
  const IRoot& key() const { return root; }
  void Merge(const MemoEntry& other) { candidate.Add(other.candidate); }
  void TakePlaces(const PlaceFacts& places);

  IRoot root;
  Candidate candidate = {};
  bool library = false;  // a step of it is in a library
};

// In which order candidates are forced.
enum class MemoOrder {
  kSuspicion,  // what is likeliest to be a bug first
  kPaper,      // by idiom, application before library, fewest attempts
};

class Memo : public Knowledge<MemoEntry> {
 public:
  // Of those that rest, when nothing else is left to do.
  static constexpr uint64_t kLateAttempts = 6;

  // Candidates of later idioms than that are not wanted.
  void LimitIdioms(uint8_t last) { last_idiom_ = last; }
  uint8_t last_idiom() const { return last_idiom_; }

  // What an execution showed; `nanoseconds` is how long it took, all in all.
  struct News {
    uint64_t exposed = 0;    // that were not before
    uint64_t predicted = 0;  // that are to be forced and were not before
    uint64_t surprises = 0;  // exposed, and this input had not predicted them
  };
  News Learn(const IRootsSeen& seen, const PlaceFacts& facts,
             uint64_t nanoseconds);
  // What came of forcing one.
  void Learn(size_t index, bool realised) { LearnAttempt(index, realised); }

  // The next iRoot to force, as an index; it is under way from now on. `late`:
  // of those that rest. Without `libraries`, of application code only.
  std::optional<size_t> Next(MemoOrder order, bool libraries, bool late);

 private:
  uint8_t last_idiom_ = analysis::iroot::kNumIdioms;
};

// Whether a step of it is in a library.
bool IsLibrary(const IRoot& root, const PlaceFacts& facts);

// How likely to be a bug: higher first. Deadlocks; what no lock keeps apart,
// and of that what is not atomic; what no serial execution explains; what may
// read a null pointer; few steps.
uint64_t SuspicionOf(const IRoot& root, const Candidate& candidate);

using finding::Estimate;
// Nothing if there were fewer than two executions: all that one execution
// exposes is seen once, so that nothing follows for a second.
std::optional<Estimate> EstimateOf(const Memo& memo, double seconds);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_MEMO_H_
