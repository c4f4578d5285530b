#include "explore/explain/trials.h"

#include "explore/campaign/confirm.h"
#include "explore/campaign/under_way.h"
#include "explore/names/schedule_of.h"
#include "explore/run/seeds.h"
#include "explore/run/target_record.h"
#include "sched/director_strategy.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

// An execution that goes on for so much longer than the one that failed is not
// what is looked for.
constexpr uint64_t kTooLong = 20;
constexpr uint64_t kLeastPoints = 100'000;

}  // namespace

std::string NotToBeTried(const Subject& subject, bool driven) {
  if (driven || subject.finding->kind == finding::Kind::kClient) {
    return "its program is a server, whose client is not run again";
  }
  if (subject.finding->kind == finding::Kind::kRace) {
    return "it is a data race, which any schedule shows that has both accesses";
  }
  if (subject.finding->kind == finding::Kind::kTogether) {
    return "nothing fails: what is wrong is seen where the units are run one "
           "after the other, too";
  }
  if (subject.schedule == nullptr) return "it has no schedule";
  if (subject.schedule->explore_call != 0) {
    return "it failed in a closure of fairlead::explore()";
  }
  if (!ForcedText(*subject.schedule).empty()) {
    return ForcedText(*subject.schedule);
  }
  return "";
}

Task Trials::TaskOf(uint64_t flags, const FollowedInputs* inputs) const {
  const trace::Schedule& schedule = *subject_.schedule;
  Task task;
  task.plan.flags = flags | abi::kPlanRecord | abi::kPlanQuiet |
                    abi::kPlanNoDigest | FlagsOf(schedule.policies);
  task.plan.seed = schedule.seed;
  task.follow.idle_sites = schedule.quiet.idle;
  task.follow.ordered_sites = schedule.quiet.ordered;
  if (inputs != nullptr) {
    task.follow.inputs = inputs->records;
    task.follow.payload = inputs->payload;
  }
  task.timeout = subject_.timeout;
  return task;
}

Result<Likeness> Trials::Run(const Task& task) {
  Result<Finished> finished = RunOne(*runner_, task);
  if (!finished) return finished.error();
  ++num_made_;
  last_ = *std::move(finished);
  return same_.Judge(*last_);
}

Result<Likeness> Trials::FollowExactly(const trace::Schedule& schedule,
                                       RecordObserver* observer) {
  const FollowedInputs inputs = LayOutInputs(schedule.inputs);
  Task task = TaskOf(abi::kPlanFollow | abi::kPlanPoints, &inputs);
  task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kReplay);
  task.follow.choices = schedule.choices;
  task.observer = observer;
  if (observer != nullptr) task.plan.flags |= abi::kPlanTrace;
  return Run(task);
}

Result<Likeness> Trials::FollowTold(const trace::Schedule& schedule,
                                    RecordObserver& observer) {
  const FollowedInputs inputs = LayOutInputs(schedule.inputs);
  Task task = TaskOf(abi::kPlanFollow | abi::kPlanPoints, &inputs);
  const trace::QuietSites told = AllTold(subject_.schedule->quiet);
  task.follow.idle_sites = told.idle;
  task.follow.ordered_sites = told.ordered;
  task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kReplay);
  task.follow.choices = schedule.choices;
  task.observer = &observer;
  task.plan.flags |= abi::kPlanTrace;
  return Run(task);
}

Result<Likeness> Trials::FollowSketch(const Sketch& sketch) {
  const std::vector<abi::ChoiceRecord> records = RecordsOf(sketch);
  Task task = TaskOf(abi::kPlanPrefix | abi::kPlanPoints, &inputs_);
  task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kSketch);
  task.plan.max_steps = std::max(kLeastPoints, kTooLong * usual_points_);
  task.follow.choices = records;
  return Run(task);
}

Result<Likeness> Trials::Force(const finding::Target* target, uint64_t seed,
                               RecordObserver* observer) {
  Task task = TaskOf(0, nullptr);
  task.plan.seed = SeedOf(subject_.schedule->seed, SeedFor::kTarget, seed);
  task.plan.max_steps =
      usual_points_ == 0 ? 0 : std::max(kLeastPoints, kTooLong * usual_points_);
  task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kRandom);
  abi::TargetRecord record = {};
  if (target != nullptr) {
    record = RecordOf(*target);
    task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kDirector);
    task.plan.params[0] = sched::DirectorStrategy::kOnlyHolds;
    task.plan.params[1] = static_cast<uint64_t>(sched::StrategyId::kRandom);
    task.plan.flags |= PlanFlagsFor(*target);
    task.follow.target = {&record, 1};
  }
  task.observer = observer;
  if (observer != nullptr) task.plan.flags |= abi::kPlanTrace;
  return Run(task);
}

trace::Schedule Trials::ScheduleOfLast() {
  Namer namer(*last_->executed.memory);
  const trace::Schedule& original = *subject_.schedule;
  trace::Identity identity = original.identity;
  identity.builds.resize(std::min<size_t>(identity.builds.size(), 1));
  trace::Schedule schedule =
      explore::ScheduleOf(last_->executed, std::move(identity), namer);
  schedule.tool = original.tool;
  schedule.strategy = original.strategy;
  schedule.seed = original.seed;
  schedule.carrier = original.carrier;
  schedule.outcome = original.outcome;
  schedule.policies = original.policies;
  return schedule;
}

Result<std::unique_ptr<Trials>> Trials::Make(const Subject& subject) {
  std::unique_ptr<Trials> trials(new Trials(subject, Builds::kOne));
  trials->inputs_ = LayOutInputs(subject.schedule->inputs);
  for (const bool forked : {true, false}) {
    Result<std::unique_ptr<Runner>> runner =
        forked ? MakeForkRunner(subject.setting, ForkAt::kMain)
               : MakeFreshRunner(subject.setting);
    if (!runner) {
      if (forked) continue;
      return runner.error();
    }
    trials->runner_ = *std::move(runner);
    const Result<Likeness> likeness = trials->FollowExactly(*subject.schedule);
    if (!likeness) {
      if (forked) continue;
      return likeness.error();
    }
    if (*likeness == Likeness::kSame) {
      trials->usual_points_ = trials->last().executed.outcome.points;
      return trials;
    }
    if (*likeness == Likeness::kStopped) break;
  }
  return Error(ErrorCode::kUnknown)
      .Say("it did not fail again along its schedule");
}

Result<std::unique_ptr<Trials>> Trials::MakeWithoutSchedule(
    const Subject& subject) {
  std::unique_ptr<Trials> trials(new Trials(subject, Builds::kTwo));
  Result<std::unique_ptr<Runner>> runner =
      MakeForkRunner(subject.setting, ForkAt::kMain);
  if (!runner) runner = MakeFreshRunner(subject.setting);
  if (!runner) return runner.error();
  trials->runner_ = *std::move(runner);
  return trials;
}

}  // namespace fairlead::explore
