// explore/judge/outcome_oracle.h
//
// The part of judging that looks at what became of an execution
// (explore/judge/fate.h) and at nothing else: all that `run`, `force`,
// `predict` and `doctor` know, and what every other oracle begins with.

#ifndef FAIRLEAD_EXPLORE_JUDGE_OUTCOME_ORACLE_H_
#define FAIRLEAD_EXPLORE_JUDGE_OUTCOME_ORACLE_H_

#include "explore/judge/fate.h"
#include "explore/judge/judgement.h"

namespace fairlead::explore {

// The exit code is not judged.
struct OutcomeJudgement {
  Fate fate = Fate::kEnded;
  // kOk = no reason to doubt it so far; kFailed if there are failures.
  Judgement::End end = Judgement::End::kOk;
  // The one that says most first; others matter where it does not count.
  std::vector<Failure> failures = {};
  bool went_on = false;        // the program came to its end all the same
  bool explains_exit = false;  // … with an exit code that the failure is about
  std::string reason = {};
  std::optional<Error> error = {};
};
OutcomeJudgement JudgeOutcome(const Executed& executed);

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
