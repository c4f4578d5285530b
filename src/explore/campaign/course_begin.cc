// explore/campaign/course_begin.cc
//
// How a campaign begins: it finds out how its executions can be run, and makes
// references, which say what is shared and whether every schedule fails.

#include "explore/campaign/course.h"
#include "explore/run/seeds.h"
#include "explore/watch/iroot_watch.h"
#include "explore/watch/profile.h"

namespace fairlead::explore {
namespace {

using sched::StrategyId;

// Different schedules that must all fail before it is said that every one does:
// of one in four that does not, so many random ones miss all once in 70 times.
constexpr StrategyId kAlwaysTried[] = {
    StrategyId::kRoundRobin, StrategyId::kRandom, StrategyId::kPos,
    StrategyId::kRandom,     StrategyId::kPos,    StrategyId::kRandom,
    StrategyId::kPos,        StrategyId::kRandom, StrategyId::kPos,
    StrategyId::kRandom,     StrategyId::kPos,    StrategyId::kRandom,
    StrategyId::kPos,        StrategyId::kRandom, StrategyId::kPos,
    StrategyId::kRandom};

// Where nothing was chosen, all schedules are one.
constexpr uint64_t kAlwaysTriedAlone = 6;

// The order of threads that a reference keeps; none = it is not serial.
std::optional<SerialOrder> SerialOrderOf(StrategyId strategy, uint64_t number) {
  if (strategy == StrategyId::kFirst) return SerialOrder::kOldestFirst;
  if (strategy == StrategyId::kPct) return SerialOrder{number};
  return {};
}

}  // namespace

void Course::Choose() {
  Planned planned;
  planned.strategy = DefaultSpec(StrategyId::kFirst);
  planned.sites = Sites::kAll;
  UnderWay trial(std::move(planned));
  const Task task = TaskOf(options_, {}, trial);
  Result<ChosenRunner> chosen = ChooseRunner(
      options_.setting, fork_, task,
      [&](const Finished& finished) { return TakeTrial(finished, trial); });
  if (!chosen) {
    FailUnlessOver(chosen.error());
    return;
  }
  observer_.OnOtherRunner(chosen->reasons);
  chosen_ = std::move(chosen->runner);
  runner_ = chosen_.get();
  // What was found must wait for the answer whether it always fails.
  if (last_found_) over_ = result_.error.has_value();
}

AfterTrial Course::TakeTrial(const Finished& finished, UnderWay& trial) {
  Judgement judgement = oracles_.Judge(finished);
  if (judgement.end == Judgement::End::kOk) return AfterTrial::kGoOn;
  const bool failed = judgement.end == Judgement::End::kFailed;
  const std::optional<size_t> before = last_found_;
  ++num_started_;
  TakeJudged(std::move(judgement), finished, trial);
  if (!last_found_) last_found_ = before;
  return failed ? AfterTrial::kGoOn : AfterTrial::kEnough;
}

// The first one says what sites are shared, and what could go wrong.
void Course::WatchFirst(Wishes& wishes) const {
  wishes.Want(WatcherId::kProfile, ProfileOf::kSharing);
  if (options_.predict) wishes.Want(WatcherId::kPredictions);
  if (options_.memo != nullptr) {
    wishes.Want(WatcherId::kIRoots, IRootsWanted::kPredicted);
  }
}

bool Course::RunReference(StrategyId strategy, uint64_t number, bool profile) {
  if (Interrupted()) return false;
  if (BudgetSpent()) {
    End(CampaignEnding::kBudget);
    return false;
  }
  const std::optional<SerialOrder> order = SerialOrderOf(strategy, number);
  Planned planned;
  if (order) {
    planned = PlannedOf(*order, options_.seed);
  } else {
    planned.strategy = DefaultSpec(strategy);
    planned.seed = SeedOf(options_.seed, SeedFor::kReference, number);
  }
  if (profile) WatchFirst(planned.watch);
  UnderWay execution(std::move(planned));
  oracles_.Watch(execution.watched);
  if (order) WatchReference(oracles_.needs(), execution.watched);
  ++num_started_;
  const Result<Finished> finished = RunOne(
      *runner_, TaskOf(options_, lessons_.idle_sites().For(execution.planned),
                       execution));
  if (!finished) {
    FailUnlessOver(finished.error());
    return false;
  }
  const uint64_t failed_before = result_.progress.failed;
  Take(*finished, execution);
  if (oracles_.needs().any() && order && !over_ &&
      result_.progress.failed == failed_before) {
    references_.Keep(*order, ReferenceOf(*finished, execution.watched));
  }
  return !over_;
}

// Whether schedules of every kind fail like the reference.
bool Course::FailsAlways() {
  const size_t first = *last_found_;
  uint64_t number = 0;
  for (const StrategyId strategy : kAlwaysTried) {
    if (number == kAlwaysTriedAlone && result_.progress.steps == 0) break;
    last_found_.reset();
    if (!RunReference(strategy, ++number, false)) return false;
    if (last_found_ != first) return false;
  }
  return true;
}

void Course::RunReferences() {
  if (!RunReference(StrategyId::kFirst, 0, true) && !last_found_) {
    return;
  }
  const bool failed = last_found_.has_value();
  // Who wants to go on does, whatever that brings.
  if (failed && !options_.keep_going) {
    // Stopping at the first finding must wait for this.
    over_ = result_.error.has_value();
    if (over_) return;
    const size_t index = *last_found_;
    if (FailsAlways()) {
      Found& found = found_[index];
      found.finding.always = true;
      if (!found.counts) return;
      if (Result<bool> counts = observer_.OnFinding(found); !counts) {
        Fail(counts.error());
      }
      End(CampaignEnding::kAlways);
      return;
    }
    over_ = result_.error.has_value();
  }
  // Also what was found while runners were tried, or behind what does not
  // count.
  if (result_.progress.num_findings != 0 && !options_.keep_going) {
    End(CampaignEnding::kFound);
  }
  if (over_ || !oracles_.needs().any()) return;
  for (uint64_t i = 0; i < SerialReferences::kNumFirst; ++i) {
    if (!RunReference(StrategyId::kPct, i, false)) return;
  }
}

}  // namespace fairlead::explore
