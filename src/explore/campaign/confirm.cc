#include "explore/campaign/confirm.h"

#include <algorithm>

#include "base/patience.h"
#include "explore/campaign/under_way.h"
#include "explore/campaign/witness.h"
#include "explore/judge/describe.h"
#include "explore/names/trace_keeper.h"
#include "explore/run/record_tee.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

// Whether an execution failed like the first. A key has numbers in it that
// differ between a traced execution and one that is not; the fingerprint has
// none, but takes a while.
bool IsSame(const Failure& failure, const finding::Finding& finding,
            const Finished& finished, const Judgement& judgement) {
  if (!judgement.failure) return false;
  if (judgement.failure->key == failure.key) return true;
  Namer namer(*finished.executed.memory);
  return Describe(*judgement.failure, finished, namer).fingerprint ==
         finding.fingerprint;
}

}  // namespace

Task TaskFor(const Repetition& repetition, const FollowedInputs& inputs) {
  Task task;
  task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kReplay);
  task.plan.flags = abi::kPlanFollow | abi::kPlanRecord | abi::kPlanQuiet |
                    abi::kPlanNoDigest;
  task.plan.flags |= FlagsOf(repetition.schedule->policies);
  if (repetition.driven) task.plan.flags |= abi::kPlanDriven;
  task.plan.carrier = repetition.carrier;
  task.plan.seed = repetition.schedule->seed;
  task.plan.explore_call = repetition.schedule->explore_call;
  task.follow = {.choices = repetition.schedule->choices,
                 .inputs = inputs.records,
                 .payload = inputs.payload,
                 .idle_sites = repetition.schedule->quiet.idle,
                 .ordered_sites = repetition.schedule->quiet.ordered};
  task.timeout = repetition.timeout;
  return task;
}

bool IsFollowed(finding::Kind kind, const Judgement& judgement) {
  return kind == finding::Kind::kClient && judgement.end == Judgement::End::kOk;
}

Result<Finished> RunOne(Runner& runner, const Task& task) {
  if (Status started = runner.Start(0, task); !started) return started.error();
  while (true) {
    Result<std::optional<Finished>> next =
        runner.Next(std::chrono::milliseconds(50));
    if (!next) return next.error();
    if (HadEnough() == Enough::kUser) runner.StopAll();
    if (*next) return **std::move(next);
  }
}

Result<Judged> RunAndJudge(Runner& runner, Task task, Oracles& oracles) {
  Judged judged;
  oracles.Watch(judged.watched);
  RecordTee tee;
  if (judged.watched.observer() != nullptr) {
    tee.Add(*judged.watched.observer());
    if (task.observer != nullptr) tee.Add(*task.observer);
    task.observer = &tee;
    task.plan.flags |= judged.watched.plan_flags();
  }
  Result<Finished> finished = RunOne(runner, task);
  if (!finished) return finished.error();
  judged.finished = *std::move(finished);
  judged.judgement = oracles.Judge(judged.finished, &judged.watched);
  return judged;
}

namespace {

// Functions that were idle count instructions then, so that other loops may be
// taken for waiting, and the schedule may not fit: nothing is lost but time.
bool KeepFullWitness(const Repetition& repetition, const Failure& failure,
                     Task task, Runner& fresh, Oracles& oracles,
                     finding::Finding& finding) {
  if (repetition.schedule->quiet.idle.empty()) return false;
  const trace::QuietSites told = AllTold(repetition.schedule->quiet);
  task.follow.idle_sites = told.idle;
  task.follow.ordered_sites = told.ordered;
  TraceKeeper keeper;
  task.plan.flags |= abi::kPlanTrace;
  task.observer = &keeper;
  const Result<Judged> judged = RunAndJudge(fresh, task, oracles);
  if (!judged || keeper.lost_events()) return false;
  const auto& [finished, judgement, watched] = *judged;
  if (!IsSame(failure, finding, finished, judgement)) return false;
  KeepWitness(finished, judgement, keeper, finding);
  return true;
}

}  // namespace

Result<Confirmation> Confirm(const Repetition& repetition,
                             const Failure& failure, uint64_t times,
                             Runner& fresh, Oracles& oracles,
                             finding::Finding& finding) {
  const FollowedInputs inputs = LayOutInputs(repetition.schedule->inputs);
  Confirmation confirmation;
  const bool kept =
      times > 0 && !ShouldStop() &&
      KeepFullWitness(repetition, failure, TaskFor(repetition, inputs), fresh,
                      oracles, finding);
  for (uint64_t i = 0; i < times && !ShouldStop(); ++i) {
    TraceKeeper keeper;
    Task task = TaskFor(repetition, inputs);
    const bool traced =
        !kept && confirmation.repeated + confirmation.followed == 0;
    if (traced) {
      task.plan.flags |= abi::kPlanTrace;
      task.observer = &keeper;
    }
    const Result<Judged> judged = RunAndJudge(fresh, task, oracles);
    if (!judged) return judged.error();
    const auto& [finished, judgement, watched] = *judged;
    // What nobody waited for says nothing.
    const bool cut = judgement.end == Judgement::End::kCut && ShouldStop();
    if (cut || judgement.end == Judgement::End::kStopped) break;
    ++confirmation.tried;
    if (IsSame(failure, finding, finished, judgement)) {
      ++confirmation.repeated;
    } else if (IsFollowed(failure.kind, judgement)) {
      ++confirmation.followed;
    } else {
      continue;
    }
    if (traced) KeepWitness(finished, judgement, keeper, finding);
  }
  return confirmation;
}

}  // namespace fairlead::explore
