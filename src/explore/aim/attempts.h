// explore/aim/attempts.h
//
// The loop that forces one target, without its executions: which attempt comes
// next, what came of those so far, and why it did not happen. Whoever runs
// executions asks Next, runs, and calls Learn.
//
//   as it is       two attempts (three of a deadlock) or more, older threads
//                  first, then younger ones, then random preferences
//   prepared       further ones, while a step never came, with preconditions
//                  derived from the attempts (explore/aim/approach.h)
//
// It ends when the target has made the program fail, when it happened and
// nothing failed, or when no attempt is left.

#ifndef FAIRLEAD_EXPLORE_AIM_ATTEMPTS_H_
#define FAIRLEAD_EXPLORE_AIM_ATTEMPTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abi/control.h"
#include "explore/aim/approach.h"
#include "finding/target.h"

namespace fairlead::explore {

struct AttemptPolicy {
  uint64_t most = 0;      // in all
  uint64_t made = 0;      // of them, in earlier campaigns
  uint64_t as_it_is = 0;  // without preconditions; 0 = as many as it is worth
  // The number of the first whose events may be needed.
  uint64_t watch_from = 0;
  // Where nothing is known that could lead to a step: the target as it is, once
  // more, instead of giving up. Also where every step came.
  bool fill = false;
  // It happened, and nothing failed: once more, since what comes of an
  // interleaving depends on what goes on after it.
  bool insist = false;
};

// One that is to be made.
struct Attempt {
  Prepared prepared;
  uint64_t number = 0;  // from 0; chooses the seed
  uint64_t base = 0;    // the director's parameter: who goes first
  bool watch = false;   // its events may be needed, as an AttemptObserver's
};

// What came of it. `realised`: the target happened.
struct AttemptEnd {
  abi::TargetProgress progress = {};
  bool realised = false;
  bool failed = false;  // and that is what was looked for
  SeenPointer seen = nullptr;
};

class Attempts {
 public:
  enum class State {
    kOpen,
    kUnderWay,
    kHarmless,  // it happened, and nothing failed
    kFailed,    // it made the program fail
    kGivenUp,
  };

  // `functions` as in Approach.
  Attempts(finding::Target target, std::vector<std::string> functions,
           AttemptPolicy policy)
      : approach_(std::move(target), std::move(functions)),
        policy_(policy),
        num_made_(policy.made) {}

  // Another execution, which has been seen.
  void Learn(SeenPointer seen) { approach_.Learn(std::move(seen)); }

  // One after the other: none while one is under way, or when it is over.
  std::optional<Attempt> Next();
  // True if it came further than those before: progress() is of it now.
  bool Learn(const AttemptEnd& end);

  State state() const { return state_; }
  uint64_t num_made() const { return num_made_; }
  bool Misses() const { return approach_.Misses(); }  // a step never came
  // From 1; 0 = not yet.
  uint64_t realised_in() const { return realised_in_; }
  const finding::Target& target() const { return approach_.target(); }
  // Of the attempt that came furthest, with all steps that ever came in sight.
  const abi::TargetProgress& progress() const { return progress_; }
  // What came of it all, in lines: attempts, and which step never came.
  std::vector<std::string> Tried() const;

 private:
  std::optional<Prepared> Prepare();
  uint64_t NumPlain() const {
    return policy_.as_it_is != 0 ? policy_.as_it_is
                                 : approach_.num_plain_attempts();
  }

  Approach approach_;
  AttemptPolicy policy_;
  State state_ = State::kOpen;
  uint64_t num_made_;
  uint64_t num_learnt_ = 0;
  uint64_t realised_in_ = 0;
  Prepared under_way_;
  std::optional<Prepared> realised_;  // as it was when it was realised
  abi::TargetProgress progress_ = {};
};

// Lines that say which steps of `target` were not done and what is known about
// them.
std::vector<std::string> WhyNot(const finding::Target& target,
                                const abi::TargetProgress& progress);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_AIM_ATTEMPTS_H_
