#include "explore/campaign/confirm.h"

#include <algorithm>

#include "base/patience.h"
#include "base/text.h"
#include "explore/judge/describe.h"
#include "explore/names/object_names.h"
#include "explore/names/sources.h"
#include "explore/names/trace_keeper.h"
#include "explore/run/record_tee.h"
#include "finding/outcome.h"
#include "finding/slice_for.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

// Whether it is only at the end that something is wrong.
bool IsWrongResult(finding::Kind kind) {
  return finding::OutcomeOf(kind) == finding::Outcome::kWrongEnd &&
         kind != finding::Kind::kMisuse;
}

finding::SliceOrder SliceOrderOf(finding::Kind kind,
                                 const abi::Outcome& outcome) {
  finding::SliceOrder order;
  order.at_fault = outcome.thread;
  order.result_is_wrong = IsWrongResult(kind);
  if (outcome.misuse != abi::Misuse::kNone) {
    order.at_fault = outcome.misused.thread;
    order.touched.insert(outcome.misused.object);
  }
  if (outcome.fault_address != 0) order.touched.insert(outcome.fault_address);
  const size_t waits = std::min<size_t>(outcome.num_waits, abi::kMaxWaits);
  for (size_t i = 0; i < waits; ++i) {
    order.waited_for.insert(outcome.waits[i].object);
  }
  return order;
}

// A sanitizer says itself which memory its report is about.
void AddReported(const Failure& failure, finding::SliceOrder& order) {
  if (failure.kind != finding::Kind::kSanitizer) return;
  constexpr std::string_view kMark = " on address ";
  for (const std::string_view line : failure.details) {
    const size_t at = line.find(kMark);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.substr(at + kMark.size());
    const auto address = ParseNumber(rest.substr(0, rest.find(' ')));
    if (address) order.touched.insert(*address);
  }
}

// The events that matter of an execution that failed, with their sources.
void KeepSlice(const Finished& finished, const Judgement& judgement,
               TraceKeeper& keeper, finding::Finding& finding) {
  const abi::Outcome& outcome = finished.executed.outcome;
  Namer namer(*finished.executed.memory);
  finding::SliceOrder order = SliceOrderOf(finding.kind, outcome);
  if (judgement.failure) AddReported(*judgement.failure, order);
  if (judgement.failure && finding.kind == finding::Kind::kTest) {
    order.failed_at = judgement.failure->place.place;
  }
  const trace::Trace whole = keeper.Take(namer);
  finding.witness.slice = finding::SliceFor(whole, order);
  NameObjects(finished.executed, whole, keeper, namer, finding);
  finding.witness.sources = SourcesOf(finding, namer);
}

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

Result<Confirmation> Confirm(const Repetition& repetition,
                             const Failure& failure, uint64_t times,
                             Runner& fresh, Oracles& oracles,
                             finding::Finding& finding) {
  const FollowedInputs inputs = LayOutInputs(repetition.schedule->inputs);
  Confirmation confirmation;
  for (uint64_t i = 0; i < times && !ShouldStop(); ++i) {
    TraceKeeper keeper;
    Task task = TaskFor(repetition, inputs);
    const bool traced = confirmation.repeated + confirmation.followed == 0;
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
    if (traced) KeepSlice(finished, judgement, keeper, finding);
  }
  return confirmation;
}

}  // namespace fairlead::explore
