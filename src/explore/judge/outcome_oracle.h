// explore/judge/outcome_oracle.h
//
// The part of judging that looks at the runtime's outcome and at how the
// process ended, and at nothing else.

#ifndef FAIRLEAD_EXPLORE_JUDGE_OUTCOME_ORACLE_H_
#define FAIRLEAD_EXPLORE_JUDGE_OUTCOME_ORACLE_H_

#include <string_view>

#include "explore/judge/oracle.h"

namespace fairlead::explore {

// The exit code is not judged.
struct OutcomeJudgement {
  // kOk = no reason to doubt it so far.
  Judgement::End end = Judgement::End::kOk;
  // The one that says most first; others matter where it does not count.
  std::vector<Failure> failures = {};
  bool went_on = false;        // the program came to its end all the same
  bool explains_exit = false;  // … with an exit code that the failure is about
  std::string reason = {};
  std::optional<Error> error = {};
};
OutcomeJudgement JudgeOutcome(const Executed& executed);

// Whether a filter of system calls that the program has installed has ended it:
// perhaps for a call of ours, so that it says nothing about the program.
bool IsEndedByFilter(const Executed& executed);
inline constexpr std::string_view kEndedByFilter =
    "the program's own filter of system calls (seccomp) ended it";

// The reason of a cut where nothing inside the program could go on.
inline constexpr std::string_view kWaitedOutside =
    "waited for something from outside, which did not come";

// A thread that waits for a word of another while it holds a lock for which
// another waits: who should have sent the word may be just that one. Null if no
// thread does.
struct WaitUnderLock {
  const abi::WaitRecord* waits = nullptr;    // for the word
  const abi::WaitRecord* blocked = nullptr;  // for the lock
};
WaitUnderLock WaitUnderLockOf(const abi::Outcome& outcome);

// The kind of finding that a misuse is.
finding::Kind KindOf(abi::Misuse misuse);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_OUTCOME_ORACLE_H_
