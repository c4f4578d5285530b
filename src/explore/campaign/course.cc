#include "explore/campaign/course.h"

#include <algorithm>

#include "explore/campaign/tally.h"
#include "explore/plan/target_planner.h"
#include "explore/plan/turns_planner.h"
#include "explore/watch/profile.h"

namespace fairlead::explore {
namespace {

using Clock = std::chrono::steady_clock;

// How long the loop sleeps at most before it looks at clocks and signals.
constexpr std::chrono::milliseconds kLook(50);

}  // namespace

CampaignResult Course::Run() {
  if (runner_ == nullptr) Choose();
  if (runner_ == nullptr) {
    Finish();
    return std::move(result_);
  }
  result_.runner = runner_->name();
  under_way_.resize(runner_->num_slots());
  if (!over_) RunReferences();
  if (!over_ && result_.last_outcome.explored != 0) {
    in_process_.emplace(planner_);
  }
  if (!over_) SearchAndForce();
  if (!over_) End(CampaignEnding::kExhausted);
  Finish();
  return std::move(result_);
}

bool Course::TimeSpent() const {
  return options_.time && Clock::now() - began_ >= *options_.time;
}

bool Course::BudgetSpent() const {
  if (options_.max_executions != 0 && num_started_ >= options_.max_executions) {
    return true;
  }
  return TimeSpent();
}

void Course::StartWhatFits(Planner& planner) {
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
    // Events of closures in one process cannot be told apart.
    if (iterations == 0) oracles_.Watch(execution.watched);
    const Task task = TaskOf(
        options_, lessons_.idle_sites().For(execution.planned), execution);
    if (Status started = runner_->Start(slot, task); !started) {
      under_way_[slot].reset();
      FailUnlessOver(started.error());
    }
  }
}

void Course::Search(Planner& planner) {
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

void Course::SearchAndForce() {
  if (Status told = observer_.OnForecasts(forecasts_.Begin(lessons_.targets));
      !told) {
    Fail(told.error());
    return;
  }
  TargetPlanner targets(lessons_.targets, options_.seed, lessons_.reference);
  lessons_.reference.reset();
  TurnsPlanner turns(targets, main_planner());
  Search(turns);
  forecasts_.Take(targets);
  result_.num_predicted = targets.num_tried();
  result_.num_realised = targets.num_realised();
  result_.harmless = targets.Harmless();
}

void Course::Finish() {
  result_.shares = main_planner().shares();
  result_.remark = main_planner().Remark();
  result_.num_idle_sites = lessons_.idle_sites().ids().size();
  result_.findings = found_.Take();
  TellRaces();
  TellForecasts();
  result_.never = claims_.Never();
  result_.num_claims = claims_.size();
  // The ends of processes with much memory take time, which is told as well.
  runner_ = nullptr;
  chosen_.reset();
  result_.progress.elapsed = Clock::now() - began_;
}

}  // namespace fairlead::explore
