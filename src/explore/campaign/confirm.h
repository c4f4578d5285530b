// explore/campaign/confirm.h
//
// Repeats a failure from its schedule, in fresh processes, and keeps what
// happened: the difference between a suspicion and a finding.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_CONFIRM_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_CONFIRM_H_

#include "explore/judge/oracles.h"
#include "explore/names/schedule_of.h"
#include "explore/names/trace_keeper.h"
#include "explore/run/runner.h"
#include "finding/finding.h"

namespace fairlead::explore {

// What is repeated.
struct Repetition {
  const trace::Schedule* schedule = nullptr;
  bool driven = false;  // a server; its client is in the schedule's inputs
  abi::CarrierId carrier = abi::CarrierId::kFiber;
  std::optional<std::chrono::nanoseconds> timeout = {};
};

Task TaskFor(const Repetition& repetition, const FollowedInputs& inputs);

struct Confirmation {
  uint64_t tried = 0;
  uint64_t repeated = 0;  // failed like the first time
  uint64_t followed = 0;  // IsFollowed: whether it would fail is not known
};

// Repeats `failure` `times` times, or until nobody waits any more
// (base/patience.h); the first repetition that fails like it, or is followed,
// is traced, and its slice goes into `finding`'s witness, with sources. An
// error means that no execution could be started.
Result<Confirmation> Confirm(const Repetition& repetition,
                             const Failure& failure, uint64_t times,
                             Runner& fresh, Oracles& oracles,
                             finding::Finding& finding);

// One execution and what the oracles say of it, also those that go by events.
struct Judged {
  Finished finished;
  Judgement judgement;
  Watched watched;  // by the oracles, who may be asked again
};
Result<Judged> RunAndJudge(Runner& runner, Task task, Oracles& oracles);

// Whether a repetition of `kind` that was judged like this did all that its
// schedule says, and no more can be told: a server repeats itself without its
// client, which is not asked again.
bool IsFollowed(finding::Kind kind, const Judgement& judgement);

// Waits for the execution in slot 0 of a runner that has no other one; ends it
// when the user wants to stop.
Result<Finished> RunOne(Runner& runner, const Task& task);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_CONFIRM_H_
