// explore/campaign/course.h
//
// The course of one campaign: what is under way, what is known, when it is
// over. Its steps are in three files: course_begin.cc chooses how executions
// are run and makes the references, course.cc searches, course_take.cc takes
// what an execution showed.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_COURSE_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_COURSE_H_

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/patience.h"
#include "explore/campaign/apart_list.h"
#include "explore/campaign/campaign.h"
#include "explore/campaign/claims.h"
#include "explore/campaign/forecast_list.h"
#include "explore/campaign/found_list.h"
#include "explore/campaign/lessons.h"
#include "explore/campaign/race_list.h"
#include "explore/campaign/serial_runs.h"
#include "explore/campaign/under_way.h"
#include "explore/judge/oracles.h"
#include "explore/plan/in_process_planner.h"

namespace fairlead::explore {

class Course {
 public:
  // Without a runner it chooses one, by `fork`.
  Course(const CampaignOptions& options, Runner* runner, ForkChoice fork,
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
        apart_(options, found_),
        lessons_(options, races_, apart_) {}

  CampaignResult Run();

 private:
  void Choose();
  AfterTrial TakeTrial(const Finished& finished, UnderWay& trial);
  void RunReferences();
  bool FailsAlways();
  // What is predicted is forced and the program searched, by turns.
  void SearchAndForce();
  // Until the planner has nothing more to run, or the campaign is over.
  void Search(Planner& planner);
  void StartWhatFits(Planner& planner);
  void Finish();

  // Runs one that is no part of the search, of the references the one of that
  // number. False: the campaign is over.
  bool RunReference(sched::StrategyId strategy, uint64_t number, bool profile);
  void WatchFirst(Wishes& wishes) const;

  void Take(const Finished& finished, UnderWay& execution);
  void TakeJudged(Judgement judgement, const Finished& finished,
                  UnderWay& execution);
  void TakeLessons(const Finished& finished, UnderWay& execution,
                   Observed::End end);
  void TakeFailures(Judgement judgement, const Finished& finished,
                    const UnderWay& execution);
  void TellRaces();
  void TellBeside(std::vector<Found> beside);
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
    result_.time_over = ending == CampaignEnding::kBudget && TimeSpent();
  }
  // What goes wrong because nobody waits any more is no error.
  void FailUnlessOver(Error error) {
    if (Interrupted()) return;
    if (ProgramChanged()) return;
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
  // Whether the program is another one than at the beginning, which ends it.
  bool ProgramChanged() {
    const Status same = CheckUnchanged(options_.setting.program);
    if (!same && !over_) Fail(same.error());
    return !same;
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
  ApartList apart_;
  Lessons lessons_;
  ForecastList forecasts_;
  Claims claims_;
  std::vector<std::optional<UnderWay>> under_way_;  // by slot
  std::optional<size_t> last_found_;  // what the last execution showed
  uint64_t num_started_ = 0;
  std::chrono::steady_clock::time_point began_ =
      options_.began.value_or(std::chrono::steady_clock::now());
  Deadline deadline_ = Deadline(
      options_.time ? std::optional(began_ + *options_.time) : std::nullopt);
  bool over_ = false;
  CampaignResult result_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_COURSE_H_
