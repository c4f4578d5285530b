// explore/plan/memo.h
//
// What is known about a program's iRoots, over all its executions, inputs and
// builds: which were exposed and how often, which were predicted for the input
// at hand, which were tried in vain (Maple, section 5). A value; the store
// keeps it between campaigns.
//
//   exposed     never forced again
//   predicted   of the input at hand: a candidate, until it is exposed
//   failed      tried kAttemptsHere times with this input or kAttempts times
//               in all: rests, and comes back when nothing else is left
//
// Unsound: that what was exposed need not be forced again holds only for bugs
// that do not depend on values.

#ifndef FAIRLEAD_EXPLORE_PLAN_MEMO_H_
#define FAIRLEAD_EXPLORE_PLAN_MEMO_H_

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "explore/watch/iroot_watch.h"
#include "finding/coverage.h"

namespace fairlead::explore {

struct MemoEntry {
  IRoot root;
  uint64_t exposures = 0;      // executions that exposed it
  bool predicted = false;      // for the input at hand
  uint64_t attempts = 0;       // to force it that failed, with any input
  uint64_t attempts_here = 0;  // with this one
  bool under_way = false;      // an attempt has begun
  Candidate candidate = {};
  bool library = false;         // a step of it is in a library
  bool changed = false;         // since the memo was last kept
  uint64_t kept_exposures = 0;  // as it was kept
  uint64_t kept_attempts = 0;

  bool exposed() const { return exposures != 0; }
};

// In which order candidates are forced.
enum class MemoOrder {
  kSuspicion,  // what is likeliest to be a bug first
  kPaper,      // by idiom, application before library, fewest attempts
};

class Memo {
 public:
  // Attempts in vain after which an iRoot rests.
  static constexpr uint64_t kAttemptsHere = 2;
  static constexpr uint64_t kAttempts = 6;
  // Of those that rest, when nothing else is left to do.
  static constexpr uint64_t kLateAttempts = 6;

  using Growth = finding::Growth;  // how exposing went on

  // Candidates of later idioms than that are not wanted.
  void LimitIdioms(uint8_t last) { last_idiom_ = last; }
  uint8_t last_idiom() const { return last_idiom_; }

  // What an execution showed; `nanoseconds` is how long it took, all told.
  struct News {
    uint64_t exposed = 0;    // that were not before
    uint64_t predicted = 0;  // that are to be forced and were not before
    uint64_t surprises = 0;  // exposed, and this input had not predicted them
  };
  News Learn(const IRootsSeen& seen, const std::map<uint64_t, SiteFacts>& facts,
             uint64_t nanoseconds);

  // The next iRoot to force, as an index; it is under way from now on. `late`:
  // of those that rest. Without `libraries`, of application code only.
  std::optional<size_t> Next(MemoOrder order, bool libraries, bool late);
  // The same one again: its next attempt begins.
  void Begin(size_t index) { entries_[index].under_way = true; }
  // What came of it.
  void Learn(size_t index, bool realised);
  // Nothing, except that it is no longer under way.
  void Release(size_t index) { entries_[index].under_way = false; }

  // Another input begins: predictions are of the input.
  void BeginInput();
  // Takes over what another one knows; predictions are left alone.
  void Merge(const Memo& other);
  // As it was kept.
  void Restore(std::vector<MemoEntry> entries,
               std::map<uint64_t, SiteFacts> facts, std::vector<Growth> growth);

  const std::vector<MemoEntry>& entries() const { return entries_; }
  const std::map<uint64_t, SiteFacts>& facts() const { return facts_; }
  const std::vector<Growth>& growth() const { return growth_; }
  uint64_t num_executions() const { return executions_; }
  uint64_t num_exposed() const { return exposed_; }
  // Candidates that are neither exposed nor rest.
  uint64_t num_open() const;

  // Those that changed since they were last taken or restored, with what was
  // kept then, and the growth since; for who keeps the memo.
  std::vector<MemoEntry> TakeChanges();
  std::vector<Growth> TakeGrowth();

 private:
  MemoEntry& EntryOf(const IRoot& root);

  std::vector<MemoEntry> entries_;
  std::unordered_map<IRoot, size_t, analysis::iroot::IRootHash> by_root_;
  std::map<uint64_t, SiteFacts> facts_;
  std::vector<Growth> growth_;
  size_t kept_growth_ = 0;
  uint8_t last_idiom_ = analysis::iroot::kNumIdioms;
  uint64_t executions_ = 0;
  uint64_t nanoseconds_ = 0;
  uint64_t exposed_ = 0;
};

// Whether a step of it is in a library.
bool IsLibrary(const IRoot& root, const std::map<uint64_t, SiteFacts>& facts);

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
