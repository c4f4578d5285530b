#include "explore/campaign/campaign.h"

#include <algorithm>

#include "base/patience.h"
#include "explore/campaign/confirm.h"
#include "explore/campaign/forecast_list.h"
#include "explore/campaign/found_list.h"
#include "explore/campaign/lessons.h"
#include "explore/campaign/race_list.h"
#include "explore/campaign/serial_runs.h"
#include "explore/campaign/tally.h"
#include "explore/campaign/under_way.h"
#include "explore/judge/oracles.h"
#include "explore/plan/in_process_planner.h"
#include "explore/plan/target_planner.h"
#include "explore/run/seeds.h"
#include "explore/watch/iroot_watch.h"
#include "explore/watch/profile.h"

namespace fairlead::explore {
namespace {

using Clock = std::chrono::steady_clock;
using sched::StrategyId;

// How long the loop sleeps at most before it looks at clocks and signals.
constexpr std::chrono::milliseconds kLook(50);

// Different schedules that must all fail before it is said that every one does.
constexpr StrategyId kAlwaysTried[] = {
    StrategyId::kRoundRobin, StrategyId::kRandom, StrategyId::kRandom,
    StrategyId::kRandom,     StrategyId::kRandom, StrategyId::kRandom};

// The order of threads that a reference keeps; none = it is not serial.
std::optional<SerialOrder> SerialOrderOf(StrategyId strategy, uint64_t number) {
  if (strategy == StrategyId::kFirst) return SerialOrder::kOldestFirst;
  if (strategy == StrategyId::kPct) return SerialOrder{number};
  return {};
}

class Campaign {
 public:
  // Without a runner it chooses one, by `fork`.
  Campaign(const CampaignOptions& options, Runner* runner, ForkChoice fork,
           Planner& planner, CampaignObserver& observer,
           const InterruptWatch& interrupts)
      : options_(options),
        runner_(runner),
        fork_(fork),
        planner_(planner),
        observer_(observer),
        interrupts_(interrupts),
        oracles_(options.expectations, &references_),
        found_(options, oracles_),
        races_(options, found_),
        lessons_(options, races_) {}

  CampaignResult Run() {
    if (runner_ == nullptr) Choose();
    if (runner_ == nullptr) {
      Finish();
      return std::move(result_);
    }
    result_.runner = runner_->name();
    under_way_.resize(runner_->num_slots());
    if (!over_) RunReferences();
    if (!over_) ForcePredictions();
    if (!over_ && result_.last_outcome.explored != 0) {
      in_process_.emplace(planner_);
    }
    if (!over_) Search(main_planner());
    if (!over_) End(CampaignEnding::kExhausted);
    Finish();
    return std::move(result_);
  }

 private:
  void Choose();
  AfterTrial TakeTrial(const Finished& finished, UnderWay& trial);
  void RunReferences();
  bool FailsAlways();
  void ForcePredictions();
  // Until the planner has nothing more to run, or the campaign is over.
  void Search(Planner& planner);
  void StartWhatFits(Planner& planner);
  void Finish();

  // Runs one that is no part of the search, of the references the one of that
  // number. False: the campaign is over.
  bool RunReference(StrategyId strategy, uint64_t number, bool profile);
  void WatchFirst(Wishes& wishes) const;

  void Take(const Finished& finished, UnderWay& execution);
  void TakeJudged(Judgement judgement, const Finished& finished,
                  UnderWay& execution);
  void TakeLessons(const Finished& finished, UnderWay& execution,
                   Observed::End end);
  void TakeFailures(Judgement judgement, const Finished& finished,
                    const UnderWay& execution);
  void TellRaces();
  void TellForecasts();
  void TakeFailure(const Failure& failure, const Finished& finished,
                   const UnderWay& execution);

  // The one that was given, or what makes batches of its plans.
  Planner& main_planner() { return in_process_ ? *in_process_ : planner_; }

  bool TimeSpent() const;
  bool BudgetSpent() const;
  uint64_t Left() const {
    return options_.max_executions == 0
               ? ~uint64_t{0}
               : options_.max_executions - num_started_;
  }
  bool Interrupted() {
    if (interrupts_.signal() == 0) return false;
    End(CampaignEnding::kInterrupted);
    return true;
  }
  void End(CampaignEnding ending) {
    if (over_) return;
    over_ = true;
    result_.ending = ending;
  }
  // What goes wrong because nobody waits any more is no error.
  void FailUnlessOver(Error error) {
    if (Interrupted()) return;
    if (TimeSpent()) {
      End(CampaignEnding::kBudget);
    } else {
      Fail(std::move(error));
    }
  }
  void Fail(Error error) {
    if (!result_.error) result_.error = std::move(error);
    over_ = true;
  }

  const CampaignOptions& options_;
  std::unique_ptr<Runner> chosen_;
  Runner* runner_;  // null = not chosen yet
  ForkChoice fork_;
  Planner& planner_;
  std::optional<InProcessPlanner> in_process_;  // if the program explores
  CampaignObserver& observer_;
  const InterruptWatch& interrupts_;
  SerialRuns serial_runs_ = SerialRuns(options_, oracles_);
  SerialReferences references_ = SerialReferences(
      [this](SerialOrder order) { return serial_runs_.Run(order); });
  Oracles oracles_;
  FoundList found_;
  RaceList races_;
  Lessons lessons_;
  ForecastList forecasts_;
  Claims claims_;
  std::vector<std::optional<UnderWay>> under_way_;  // by slot
  std::optional<size_t> last_found_;  // what the last execution showed
  uint64_t num_started_ = 0;
  Clock::time_point began_ = options_.began.value_or(Clock::now());
  Deadline deadline_ = Deadline(
      options_.time ? std::optional(began_ + *options_.time) : std::nullopt);
  bool over_ = false;
  CampaignResult result_;
};

// How to run it.

void Campaign::Choose() {
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

AfterTrial Campaign::TakeTrial(const Finished& finished, UnderWay& trial) {
  Judgement judgement = oracles_.Judge(finished);
  if (judgement.end == Judgement::End::kOk) return AfterTrial::kGoOn;
  const bool failed = judgement.end == Judgement::End::kFailed;
  const std::optional<size_t> before = last_found_;
  ++num_started_;
  TakeJudged(std::move(judgement), finished, trial);
  if (!last_found_) last_found_ = before;
  return failed ? AfterTrial::kGoOn : AfterTrial::kEnough;
}

// References.

// The first one says what sites are shared, and what could go wrong.
void Campaign::WatchFirst(Wishes& wishes) const {
  wishes.Want(WatcherId::kProfile, ProfileOf::kSharing);
  if (options_.predict) wishes.Want(WatcherId::kPredictions);
  if (options_.memo != nullptr) {
    wishes.Want(WatcherId::kIRoots, IRootsWanted::kPredicted);
  }
}

bool Campaign::RunReference(StrategyId strategy, uint64_t number,
                            bool profile) {
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
  if (options_.expectations.same_output && order && !over_ &&
      result_.progress.failed == failed_before) {
    references_.Keep(*order, ReferenceOf(*finished));
  }
  return !over_;
}

// Whether schedules of every kind fail like the reference.
bool Campaign::FailsAlways() {
  const size_t first = *last_found_;
  uint64_t number = 0;
  for (const StrategyId strategy : kAlwaysTried) {
    last_found_.reset();
    if (!RunReference(strategy, ++number, false)) return false;
    if (last_found_ != first) return false;
  }
  return true;
}

void Campaign::RunReferences() {
  if (!RunReference(StrategyId::kFirst, 0, true) && !last_found_) {
    return;
  }
  const bool failed = last_found_.has_value();
  if (failed) {
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
  if (over_ || !options_.expectations.same_output) return;
  for (uint64_t i = 0; i < SerialReferences::kNumFirst; ++i) {
    if (!RunReference(StrategyId::kPct, i, false)) return;
  }
}

// The search.

bool Campaign::TimeSpent() const {
  return options_.time && Clock::now() - began_ >= *options_.time;
}

bool Campaign::BudgetSpent() const {
  if (options_.max_executions != 0 && num_started_ >= options_.max_executions) {
    return true;
  }
  return TimeSpent();
}

void Campaign::StartWhatFits(Planner& planner) {
  for (size_t slot = 0; slot < under_way_.size(); ++slot) {
    if (under_way_[slot] || over_ || BudgetSpent()) continue;
    std::optional<Planned> planned = planner.Next();
    if (!planned) return;
    UnderWay& execution =
        under_way_[slot].emplace(*std::move(planned), &planner);
    uint64_t& iterations = execution.planned.iterations;
    iterations = std::min(iterations, Left());
    num_started_ += std::max<uint64_t>(iterations, 1);
    // Not where a search depends on which points there are.
    Sites& sites = execution.planned.sites;
    if (iterations == 0 &&
        (sites == Sites::kShared || sites == Sites::kUnsettled) &&
        lessons_.idle_sites().WantsProfile(num_started_)) {
      execution.planned.watch.Want(WatcherId::kProfile, ProfileOf::kSharing);
      sites = Sites::kShared;
    }
    const Task task = TaskOf(
        options_, lessons_.idle_sites().For(execution.planned), execution);
    if (Status started = runner_->Start(slot, task); !started) {
      under_way_[slot].reset();
      FailUnlessOver(started.error());
    }
  }
}

void Campaign::Search(Planner& planner) {
  const auto idle = [](const auto& slot) { return !slot.has_value(); };
  while (true) {
    if (!over_ && TimeSpent()) End(CampaignEnding::kBudget);
    if (!over_) Interrupted();
    if (!over_ && NothingToExplore(result_)) End(CampaignEnding::kNothing);
    if (!over_) StartWhatFits(planner);
    if (std::ranges::all_of(under_way_, idle)) {
      if (!over_ && BudgetSpent()) End(CampaignEnding::kBudget);
      return;
    }
    // What is under way is not waited for when nobody wants it.
    if (over_) runner_->StopAll();
    Result<std::optional<Finished>> next = runner_->Next(kLook);
    if (!next) {
      FailUnlessOver(next.error());
      return;
    }
    if (!*next) continue;
    const Finished& finished = **next;
    UnderWay execution = *std::move(under_way_[finished.slot]);
    under_way_[finished.slot].reset();
    Take(finished, execution);
  }
}

void Campaign::ForcePredictions() {
  if (Status told = observer_.OnForecasts(forecasts_.Begin(lessons_.targets));
      !told) {
    Fail(told.error());
    return;
  }
  TargetPlanner planner(lessons_.targets, options_.seed, lessons_.reference);
  Search(planner);
  forecasts_.Take(planner);
  result_.num_predicted = planner.num_tried();
  result_.num_realised = planner.num_realised();
  result_.harmless = planner.Harmless();
  lessons_.reference.reset();
}

void Campaign::Finish() {
  result_.progress.elapsed = Clock::now() - began_;
  result_.shares = main_planner().shares();
  result_.remark = main_planner().Remark();
  result_.num_idle_sites = lessons_.idle_sites().ids().size();
  result_.findings = found_.Take();
  TellRaces();
  TellForecasts();
  result_.never = claims_.Never();
  result_.num_claims = claims_.size();
}

// What came of an execution.

void Campaign::Take(const Finished& finished, UnderWay& execution) {
  TakeJudged(oracles_.Judge(finished), finished, execution);
}

void Campaign::TakeJudged(Judgement judgement, const Finished& finished,
                          UnderWay& execution) {
  using End = Judgement::End;
  if (judgement.end == End::kStopped) {
    Interrupted();
    return;
  }
  if (judgement.end == End::kUnable) {
    Fail(*std::move(judgement.error));
    return;
  }
  Progress& progress = result_.progress;
  if (judgement.end == End::kCut && execution.planned.iterations == 0 &&
      IsCutByTheEnd(judgement, finished, options_, progress)) {
    return;
  }
  CountExecution(execution, finished, result_);
  progress.elapsed = Clock::now() - began_;
  Observed::End end = Observed::End::kOk;
  if (judgement.end == End::kCut) {
    CountCut(judgement.reason, finished, result_);
    end = Observed::End::kCut;
  } else if (judgement.end == End::kFailed) {
    ++progress.failed;
    // What does not count, and did not keep it from its end, is no failure of
    // a schedule.
    const bool whole = finished.executed.outcome.status == abi::Status::kEnded;
    if (!judgement.silent || !whole) end = Observed::End::kFailed;
  }
  TakeLessons(finished, execution, end);
  claims_.Learn(*finished.executed.memory);
  last_found_.reset();
  TakeFailures(std::move(judgement), finished, execution);
  if (Status told = observer_.OnProgress(progress); !told) Fail(told.error());
}

// What nobody waits for any more is not learnt, since that takes time.
void Campaign::TakeLessons(const Finished& finished, UnderWay& execution,
                           Observed::End end) {
  if (ShouldStop()) return;
  Progress& progress = result_.progress;
  const Status learnt =
      lessons_.Take(finished, execution, end, progress, TimeSpent());
  if (const uint64_t behaviours = planner_.num_behaviours();
      behaviours != progress.behaviours) {
    progress.behaviours = behaviours;
    result_.last_new_behaviour = progress.executions;
  }
  if (!learnt) FailUnlessOver(learnt.error());
}

// A failure that does not count must not hide another one.
void Campaign::TakeFailures(Judgement judgement, const Finished& finished,
                            const UnderWay& execution) {
  while (judgement.failure) {
    const uint64_t key = judgement.failure->key;
    TakeFailure(*judgement.failure, finished, execution);
    if (over_ || judgement.silent || !last_found_ ||
        found_[*last_found_].counts) {
      return;
    }
    oracles_.Silence(key);
    judgement = oracles_.Judge(finished);
    if (judgement.silent) return;
  }
}

// They come behind what has failed, and end nothing.
void Campaign::TellRaces() {
  result_.possible = races_.Possible();
  for (Found& race : races_.Take(result_.findings)) {
    const Result<bool> counts = observer_.OnFinding(race);
    if (!counts) {
      Fail(counts.error());
      return;
    }
    race.counts = *counts;
    result_.progress.num_findings += race.counts;
    result_.findings.push_back(std::move(race));
  }
}

void Campaign::TellForecasts() {
  forecasts_.Begin(lessons_.targets);  // unless they have been forced
  result_.forecasts = forecasts_.End(result_.findings);
  if (Status told = observer_.OnForecasts(result_.forecasts); !told) {
    Fail(told.error());
  }
}

void Campaign::TakeFailure(const Failure& failure, const Finished& finished,
                           const UnderWay& execution) {
  FoundList::Added added =
      found_.Add(failure, finished, execution, result_.progress.executions);
  if (added.error) Fail(*std::move(added.error));
  if (added.unrepeated && failure.kind == finding::Kind::kClient) {
    if (result_.num_lost_clients++ == 0) {
      result_.lost_client = failure.cause;
      for (const std::string& detail : failure.details) {
        result_.lost_client += ", " + detail;
      }
    }
    return;
  }
  if (added.unrepeated) {
    ++result_.num_unrepeated;
    return;
  }
  last_found_ = added.index;
  if (execution.planned.aim != nullptr) {
    forecasts_.ShownBy(execution.planned.aim->prediction, added.index);
  }
  if (!added.is_new) return;
  Found& found = found_[added.index];
  const Result<bool> counts = observer_.OnFinding(found);
  if (!counts) {
    Fail(counts.error());
  } else {
    found.counts = *counts;
  }
  if (!found.counts) return;
  ++result_.progress.num_findings;
  if (!options_.keep_going) End(CampaignEnding::kFound);
}

}  // namespace

CampaignResult RunCampaign(const CampaignOptions& options, Runner& runner,
                           Planner& planner, CampaignObserver& observer,
                           const InterruptWatch& interrupts) {
  return Campaign(options, &runner, ForkChoice::kNever, planner, observer,
                  interrupts)
      .Run();
}

CampaignResult RunCampaign(const CampaignOptions& options, ForkChoice fork,
                           Planner& planner, CampaignObserver& observer,
                           const InterruptWatch& interrupts) {
  return Campaign(options, nullptr, fork, planner, observer, interrupts).Run();
}

}  // namespace fairlead::explore
