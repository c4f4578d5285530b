#include "explore/confirm.h"

#include "explore/interrupt.h"
#include "explore/sources.h"
#include "explore/trace_keeper.h"
#include "finding/slice_for.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

// The events that matter of an execution that failed, with their sources.
void KeepSlice(const Finished& finished, TraceKeeper& keeper,
               finding::Finding& finding) {
  const abi::Outcome& outcome = finished.executed.outcome;
  Namer namer(*finished.executed.memory);
  finding::SliceOrder order;
  order.at_fault = outcome.misuse != abi::Misuse::kNone ? outcome.misused.thread
                                                        : outcome.thread;
  for (uint32_t i = 0; i < outcome.num_waits; ++i) {
    order.waited_for.insert(outcome.waits[i].object);
  }
  finding.witness.slice = finding::SliceFor(keeper.Take(namer), order);
  finding.witness.sources = SourcesOf(finding.witness, namer);
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
  task.follow = {.choices = repetition.schedule->choices,
                 .inputs = inputs.records,
                 .payload = inputs.payload,
                 .idle_sites = repetition.quiet.idle,
                 .ordered_sites = repetition.quiet.ordered};
  task.timeout = repetition.timeout;
  return task;
}

bool IsRepeated(finding::Kind kind, const Judgement& judgement) {
  return kind == finding::Kind::kClient && judgement.end == Judgement::End::kOk;
}

Result<Finished> RunOne(Runner& runner, const Task& task) {
  if (Status started = runner.Start(0, task); !started) return started.error();
  while (true) {
    Result<std::optional<Finished>> next =
        runner.Next(std::chrono::milliseconds(50));
    if (!next) return next.error();
    if (ArrivedSignal() != 0) runner.StopAll();
    if (*next) return **std::move(next);
  }
}

Result<Confirmation> Confirm(const Repetition& repetition,
                             const Failure& failure, uint64_t times,
                             Runner& fresh, Oracle& oracle,
                             finding::Finding& finding) {
  const FollowedInputs inputs = LayOutInputs(repetition.schedule->inputs);
  Confirmation confirmation;
  for (uint64_t i = 0; i < times; ++i) {
    TraceKeeper keeper;
    Task task = TaskFor(repetition, inputs);
    const bool traced = confirmation.repeated == 0;
    if (traced) {
      task.plan.flags |= abi::kPlanTrace;
      task.observer = &keeper;
    }
    const Result<Finished> finished = RunOne(fresh, task);
    if (!finished) return finished.error();
    const Judgement judgement = oracle.Judge(*finished);
    if (judgement.end == Judgement::End::kStopped) break;
    ++confirmation.tried;
    const bool same =
        judgement.failure && judgement.failure->key == failure.key;
    if (!same && !IsRepeated(failure.kind, judgement)) continue;
    ++confirmation.repeated;
    if (traced) KeepSlice(*finished, keeper, finding);
  }
  return confirmation;
}

}  // namespace fairlead::explore
