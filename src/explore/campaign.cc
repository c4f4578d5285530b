#include "explore/campaign.h"

#include <algorithm>

#include "base/digest.h"
#include "base/file.h"
#include "explore/confirm.h"
#include "explore/describe.h"
#include "explore/idle_sites.h"
#include "explore/prediction_observer.h"
#include "explore/profile.h"
#include "explore/target_record.h"

namespace fairlead::explore {
namespace {

using Clock = std::chrono::steady_clock;
using sched::StrategyId;

// How long the loop sleeps at most before it looks at clocks and signals.
constexpr std::chrono::milliseconds kLook(50);

// Executions in which threads run until they must wait, in random orders; what
// they print is right by definition (--same-output).
constexpr size_t kSerialReferences = 8;

// Different schedules that must all fail before it is said that every one does.
constexpr StrategyId kAlwaysTried[] = {
    StrategyId::kRoundRobin, StrategyId::kRandom, StrategyId::kRandom,
    StrategyId::kRandom,     StrategyId::kRandom, StrategyId::kRandom};

// Targets that are forced in one campaign: more would keep the search waiting.
constexpr size_t kMaxTargets = 64;
// Of each target: older threads first, then younger ones.
constexpr uint64_t kTargetAttempts = 2;

// Gives every record to two observers.
class Both final : public RecordObserver {
 public:
  Both(RecordObserver& first, RecordObserver& second)
      : first_(first), second_(second) {}
  void OnRecords(std::span<const abi::Event> records,
                 const ControlMemory& memory) override {
    first_.OnRecords(records, memory);
    second_.OnRecords(records, memory);
  }

 private:
  RecordObserver& first_;
  RecordObserver& second_;
};

// An execution under way.
struct UnderWay {
  Planned planned;
  std::vector<uint64_t> idle_sites;
  std::unique_ptr<Profiler> profiler;  // null = not profiled
  // Null unless what it foretells is wanted; only beside a profiler.
  std::unique_ptr<PredictionObserver> predictions;
  std::unique_ptr<Both> both;
  std::vector<abi::TargetRecord> target;  // for the director; usually empty
  bool planned_by_planner = true;         // else a reference
};

class Campaign {
 public:
  Campaign(const CampaignOptions& options, Runner& runner, Planner& planner,
           CampaignObserver& observer, const InterruptWatch& interrupts)
      : options_(options),
        runner_(runner),
        planner_(planner),
        observer_(observer),
        interrupts_(interrupts),
        oracle_(options.expectations),
        under_way_(runner.num_slots()) {}

  CampaignResult Run() {
    identity_ = IdentityOf(options_.setting.program, options_.setting.argv,
                           options_.setting.environment);
    identity_.stdin_digest = StdinDigest();
    RunReferences();
    if (!over_) ForcePredictions();
    if (!over_) Search();
    Finish();
    return std::move(result_);
  }

 private:
  std::optional<uint64_t> StdinDigest() const;

  void RunReferences();
  bool FailsAlways();
  void KeepTargets(const Finished& finished, PredictionObserver& predictions);
  void ForcePredictions();
  // Whether the target was realised.
  bool Force(const finding::Target& target, uint64_t attempt);
  void Search();
  void StartWhatFits();
  void Finish();

  // Runs one that is no part of the search. False: the campaign is over.
  bool RunReference(StrategyId strategy, uint64_t seed, bool profile);

  Task TaskOf(UnderWay& execution) const;
  void Take(const Finished& finished, UnderWay& execution);
  void TakeProfile(const Finished& finished, Profiler& profiler);
  void TakeFailure(const Finished& finished, const UnderWay& execution,
                   const Failure& failure);
  Found Describe(const Finished& finished, const UnderWay& execution,
                 const Failure& failure);
  void Repeat(const Failure& failure, const UnderWay& execution, Found& found);
  Runner* FreshRunner();

  bool BudgetSpent() const;
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
  void Fail(Error error) {
    if (!result_.error) result_.error = std::move(error);
    over_ = true;
  }

  const CampaignOptions& options_;
  Runner& runner_;
  Planner& planner_;
  CampaignObserver& observer_;
  const InterruptWatch& interrupts_;
  Oracle oracle_;
  std::unique_ptr<Runner> fresh_;  // for repetitions; made when needed
  trace::Identity identity_;
  IdleSites idle_sites_;
  std::vector<std::optional<UnderWay>> under_way_;  // by slot
  std::map<uint64_t, size_t> by_key_;               // into result_.findings
  std::optional<uint64_t> last_key_;  // of the last execution's failure
  bool predicted_ = false;            // targets_ are what an execution foretold
  std::vector<finding::Target> targets_;
  uint64_t num_started_ = 0;
  Clock::time_point began_ = Clock::now();
  bool over_ = false;
  CampaignResult result_;
};

std::optional<uint64_t> Campaign::StdinDigest() const {
  if (options_.setting.stdin_path.empty()) return {};
  const Result<std::string> text = ReadFile(options_.setting.stdin_path);
  if (!text) return {};
  return DigestOf(*text);
}

Task Campaign::TaskOf(UnderWay& execution) const {
  Task task;
  task.plan.flags = abi::kPlanRecord | abi::kPlanQuiet;
  if (options_.spurious) task.plan.flags |= abi::kPlanSpurious;
  task.plan.max_steps = options_.max_steps;
  execution.planned.WriteTo(task.plan);
  const bool all = options_.all_sites || execution.planned.profile ||
                   execution.planned.sites == Sites::kAll;
  if (!all) execution.idle_sites = idle_sites_.ids();
  if (execution.planned.profile && !options_.all_sites) {
    execution.profiler = std::make_unique<Profiler>();
    task.observer = execution.profiler.get();
    if (options_.predict && !predicted_) {
      execution.predictions = std::make_unique<PredictionObserver>(Predictor());
      execution.both =
          std::make_unique<Both>(*execution.profiler, *execution.predictions);
      task.observer = execution.both.get();
    }
    task.plan.flags |= abi::kPlanTrace;
  }
  task.follow = {.choices = execution.planned.prefix,
                 .inputs = {},
                 .payload = {},
                 .idle_sites = execution.idle_sites,
                 .weights = execution.planned.weights,
                 .target = execution.target};
  task.timeout = options_.timeout;
  return task;
}

// References.

bool Campaign::RunReference(StrategyId strategy, uint64_t seed, bool profile) {
  if (Interrupted()) return false;
  UnderWay execution;
  execution.planned_by_planner = false;
  execution.planned.strategy = DefaultSpec(strategy);
  // Without change points `pct` runs threads one after the other.
  if (strategy == StrategyId::kPct) execution.planned.strategy.params[0] = 0;
  execution.planned.seed = seed;
  execution.planned.profile = profile;
  ++num_started_;
  const Result<Finished> finished = RunOne(runner_, TaskOf(execution));
  if (!finished) {
    Fail(finished.error());
    return false;
  }
  const uint64_t failed_before = result_.progress.failed;
  if (execution.predictions != nullptr) {
    KeepTargets(*finished, *execution.predictions);
  }
  Take(*finished, execution);
  if (result_.progress.failed == failed_before && !over_) {
    oracle_.LearnReference(*finished);
  }
  return !over_;
}

// Whether schedules of every kind fail like the reference.
bool Campaign::FailsAlways() {
  const uint64_t key = *last_key_;
  uint64_t seed = options_.seed;
  for (const StrategyId strategy : kAlwaysTried) {
    last_key_.reset();
    if (!RunReference(strategy, seed++, false)) return false;
    if (last_key_ != key) return false;
  }
  return true;
}

void Campaign::RunReferences() {
  const bool keep_going = options_.keep_going;
  last_key_.reset();
  over_ = false;
  if (!RunReference(StrategyId::kFirst, options_.seed, true) && !last_key_) {
    return;
  }
  if (last_key_) {
    // Stopping at the first finding must wait for this.
    over_ = result_.error.has_value();
    if (over_) return;
    const size_t index = by_key_[*last_key_];
    if (FailsAlways()) {
      Found& found = result_.findings[index];
      found.finding.always = true;
      if (!found.counts) return;
      if (Result<bool> counts = observer_.OnFinding(found); !counts) {
        Fail(counts.error());
      }
      End(CampaignEnding::kAlways);
      return;
    }
    over_ = result_.error.has_value();
    if (result_.findings[index].counts && !keep_going) {
      End(CampaignEnding::kFound);
    }
    return;
  }
  if (!options_.expectations.same_output) return;
  for (size_t i = 0; i < kSerialReferences; ++i) {
    if (!RunReference(StrategyId::kPct, options_.seed + i, false)) return;
  }
}

// Predictions.

void Campaign::KeepTargets(const Finished& finished,
                           PredictionObserver& predictions) {
  predicted_ = true;
  Namer namer(*finished.executed.memory);
  const Result<Predicted> predicted = predictions.Finish(namer);
  if (!predicted) return;  // the profile says why records made no sense
  for (const analysis::Prediction& prediction : predicted->predictions) {
    if (targets_.size() == kMaxTargets) return;
    targets_.push_back(prediction.target);
  }
}

bool Campaign::Force(const finding::Target& target, uint64_t attempt) {
  UnderWay execution;
  execution.planned_by_planner = false;
  execution.planned.strategy = DefaultSpec(StrategyId::kDirector);
  execution.planned.strategy.params[0] = attempt;
  execution.planned.seed = options_.seed + attempt;
  execution.target.push_back(RecordOf(target));
  ++num_started_;
  const Result<Finished> finished = RunOne(runner_, TaskOf(execution));
  if (!finished) {
    Fail(finished.error());
    return false;
  }
  const bool realised = ProgressOf(*finished->executed.memory).success != 0;
  Take(*finished, execution);
  // A deadlock keeps its last steps from happening.
  return last_key_ || realised;
}

void Campaign::ForcePredictions() {
  std::vector<bool> realised(targets_.size());
  for (uint64_t attempt = 0; attempt < kTargetAttempts; ++attempt) {
    for (size_t i = 0; i < targets_.size(); ++i) {
      if (realised[i]) continue;
      if (over_ || BudgetSpent() || Interrupted()) return;
      if (attempt == 0) ++result_.num_predicted;
      realised[i] = Force(targets_[i], attempt);
      result_.num_realised += realised[i];
    }
  }
}

// The search.

bool Campaign::BudgetSpent() const {
  if (options_.max_executions != 0 && num_started_ >= options_.max_executions) {
    return true;
  }
  return options_.time && Clock::now() - began_ >= *options_.time;
}

void Campaign::StartWhatFits() {
  for (size_t slot = 0; slot < under_way_.size(); ++slot) {
    if (under_way_[slot] || over_ || BudgetSpent()) continue;
    std::optional<Planned> planned = planner_.Next();
    if (!planned) return;
    UnderWay& execution = under_way_[slot].emplace();
    execution.planned = *std::move(planned);
    ++num_started_;
    if (Status started = runner_.Start(slot, TaskOf(execution)); !started) {
      under_way_[slot].reset();
      Fail(started.error());
    }
  }
}

void Campaign::Search() {
  const auto idle = [](const auto& slot) { return !slot.has_value(); };
  while (true) {
    if (!over_ && BudgetSpent()) End(CampaignEnding::kBudget);
    if (!over_) Interrupted();
    if (!over_) StartWhatFits();
    if (std::ranges::all_of(under_way_, idle)) {
      if (!over_) End(CampaignEnding::kExhausted);
      return;
    }
    // What is under way is not waited for when nobody wants it.
    if (over_) runner_.StopAll();
    Result<std::optional<Finished>> next = runner_.Next(kLook);
    if (!next) {
      Fail(next.error());
      return;
    }
    if (!*next) continue;
    const Finished& finished = **next;
    UnderWay execution = *std::move(under_way_[finished.slot]);
    under_way_[finished.slot].reset();
    Take(finished, execution);
  }
}

void Campaign::Finish() {
  result_.progress.elapsed = Clock::now() - began_;
  result_.shares = planner_.shares();
  result_.last_new_behaviour = planner_.last_new_behaviour();
  result_.remark = planner_.Remark();
  result_.num_idle_sites = idle_sites_.ids().size();
}

// What came of an execution.

void Campaign::Take(const Finished& finished, UnderWay& execution) {
  Judgement judgement = oracle_.Judge(finished);
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
  ++progress.executions;
  progress.steps += finished.executed.outcome.steps;
  progress.elapsed = Clock::now() - began_;
  result_.last_outcome = finished.executed.outcome;
  Observed::End end = Observed::End::kOk;
  if (judgement.end == End::kCut) {
    ++progress.cut;
    ++result_.cuts[judgement.reason];
    end = Observed::End::kCut;
  } else if (judgement.end == End::kFailed) {
    ++progress.failed;
    end = Observed::End::kFailed;
  }
  if (execution.planned_by_planner) {
    planner_.Learn(execution.planned, ObservedOf(finished.executed, end));
  }
  progress.behaviours = planner_.num_behaviours();
  if (execution.profiler != nullptr) {
    TakeProfile(finished, *execution.profiler);
  }
  last_key_.reset();
  if (judgement.failure) {
    TakeFailure(finished, execution, *judgement.failure);
  }
  if (Status told = observer_.OnProgress(progress); !told) Fail(told.error());
}

void Campaign::TakeProfile(const Finished& finished, Profiler& profiler) {
  Namer namer(*finished.executed.memory);
  const Result<SiteUse> use = profiler.Use(*finished.executed.memory, namer);
  if (use) idle_sites_.Learn(*use);
}

void Campaign::TakeFailure(const Finished& finished, const UnderWay& execution,
                           const Failure& failure) {
  last_key_ = failure.key;
  if (const auto known = by_key_.find(failure.key); known != by_key_.end()) {
    ++result_.findings[known->second].times;
    return;
  }
  Found found = Describe(finished, execution, failure);
  // Two keys may turn out to be one cause once it has names.
  const auto same =
      std::ranges::find_if(result_.findings, [&](const Found& other) {
        return other.finding.fingerprint == found.finding.fingerprint;
      });
  if (same != result_.findings.end()) {
    ++same->times;
    by_key_[failure.key] = static_cast<size_t>(same - result_.findings.begin());
    return;
  }
  Repeat(failure, execution, found);
  const Result<bool> counts = observer_.OnFinding(found);
  if (!counts) {
    Fail(counts.error());
  } else {
    found.counts = *counts;
  }
  by_key_[failure.key] = result_.findings.size();
  result_.findings.push_back(std::move(found));
  if (!result_.findings.back().counts) return;
  ++result_.progress.num_findings;
  if (!options_.keep_going) End(CampaignEnding::kFound);
}

Found Campaign::Describe(const Finished& finished, const UnderWay& execution,
                         const Failure& failure) {
  Namer namer(*finished.executed.memory);
  Found found;
  found.finding = explore::Describe(failure, finished, namer);
  found.execution = result_.progress.executions;
  found.strategy = FormatStrategySpec(execution.planned.strategy);
  found.seed = execution.planned.seed;
  finding::Witness& witness = found.finding.witness;
  witness.idle_sites = execution.idle_sites;
  if (finished.executed.outcome.schedule_lost != 0) {
    found.finding.details.push_back(
        "its schedule was too long to be kept, so it cannot be replayed");
    return found;
  }
  trace::Schedule schedule = ScheduleOf(finished.executed, identity_, namer);
  schedule.tool = options_.tool;
  schedule.strategy = found.strategy;
  schedule.seed = found.seed;
  schedule.carrier = "fiber";
  if (options_.spurious) schedule.policies.emplace_back("spurious");
  schedule.outcome = finding::WordOf(failure.kind);
  witness.schedule = std::move(schedule);
  return found;
}

Runner* Campaign::FreshRunner() {
  if (fresh_ == nullptr) {
    Setting setting = options_.setting;
    setting.jobs = 1;
    Result<std::unique_ptr<Runner>> made = MakeFreshRunner(setting);
    if (!made) {
      Fail(made.error());
      return nullptr;
    }
    fresh_ = *std::move(made);
  }
  return fresh_.get();
}

void Campaign::Repeat(const Failure& failure, const UnderWay& execution,
                      Found& found) {
  finding::Finding& finding = found.finding;
  finding.verdict = finding::Verdict::kUnknown;
  Runner* fresh = FreshRunner();
  if (fresh == nullptr || !finding.witness.schedule) return;
  const Repetition repetition = {.schedule = &*finding.witness.schedule,
                                 .idle_sites = execution.idle_sites,
                                 .spurious = options_.spurious,
                                 .carrier = abi::CarrierId::kFiber,
                                 .timeout = options_.timeout};
  const Result<Confirmation> confirmed =
      Confirm(repetition, failure, options_.repeats, *fresh, oracle_, finding);
  if (!confirmed) {
    Fail(confirmed.error());
    return;
  }
  found.repeated = confirmed->repeated;
  found.tried = confirmed->tried;
  if (found.tried > 0 && found.repeated == found.tried) {
    finding.verdict = finding::Verdict::kConfirmed;
    return;
  }
  finding.details.push_back(
      fmt::format("repeated from its schedule it failed like this {} of {} "
                  "times: something is not under control",
                  found.repeated, found.tried));
}

}  // namespace

std::string_view WordOf(CampaignEnding ending) {
  switch (ending) {
    case CampaignEnding::kBudget:
      return "budget";
    case CampaignEnding::kFound:
      return "found";
    case CampaignEnding::kExhausted:
      return "exhausted";
    case CampaignEnding::kAlways:
      return "always";
    case CampaignEnding::kInterrupted:
      return "interrupted";
  }
  return "";
}

CampaignResult RunCampaign(const CampaignOptions& options, Runner& runner,
                           Planner& planner, CampaignObserver& observer,
                           const InterruptWatch& interrupts) {
  return Campaign(options, runner, planner, observer, interrupts).Run();
}

}  // namespace fairlead::explore
