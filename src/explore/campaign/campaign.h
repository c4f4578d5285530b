// explore/campaign/campaign.h
//
// A campaign: many executions of one program, each planned, run, judged and
// learnt from, until something is found or the budget is spent. Knows neither
// store nor terminal: what happens is told to an observer.
//
//   how to run it ─▶ reference ─▶ force what it foretells
//                       └──────▶ plan ─▶ run ─▶ judge ──ok──▶ learn ─┐
//                                 ▲                └─failed▶ confirm ─▶
//                                 observer └──────────────────────────────────┘
//
// The first executions are references: threads run until they must wait. They
// say which sites are shared (only those stay points, and the set only grows),
// and whether the program fails in any schedule at all. A failure is repeated
// from its schedule in fresh processes before it is told as confirmed.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_CAMPAIGN_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_CAMPAIGN_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/declared.h"
#include "explore/campaign/choose_runner.h"
#include "explore/campaign/claims.h"
#include "explore/judge/judgement.h"
#include "explore/plan/memo.h"
#include "explore/plan/planner.h"
#include "explore/run/interrupt.h"
#include "explore/run/runner.h"

namespace fairlead::explore {

struct CampaignOptions {
  Setting setting;
  Expectations expectations = {};
  uint64_t seed = 1;
  uint64_t max_executions = 0;  // 0 = no limit
  std::optional<std::chrono::nanoseconds> time = {};
  // When its time began, if that was before the campaign itself does.
  std::optional<std::chrono::steady_clock::time_point> began = {};
  std::optional<std::chrono::nanoseconds> timeout = {};  // of one execution
  uint64_t max_steps = 0;                                // of one; 0 = none
  bool keep_going = false;  // after the first finding that counts
  bool all_sites = false;   // unshared ones stay points
  // Data races below this are not told.
  finding::Severity least_told = finding::Severity::kLow;
  bool spurious = false;
  uint64_t early = 0;    // one of abi::kPlanEarly, or 0 for the default
  uint64_t repeats = 5;  // of a failure, to confirm it
  // What the first execution foretells is forced before the search begins.
  bool predict = false;
  // What predictions are to be about (analysis::LookFor); empty = all.
  std::vector<std::string> look_for = {};
  // About the program's data, for predictions.
  analysis::Declared declared = {};
  // What is known of the program's iRoots: the first execution is told to it,
  // others are the planner's business. Null = nobody wants to know.
  Memo* memo = nullptr;
  std::string tool = {};  // version, for schedules
};

// Executions so far.
struct Progress {
  uint64_t executions = 0;
  uint64_t failed = 0;
  uint64_t cut = 0;
  uint64_t steps = 0;
  uint64_t behaviours = 0;
  uint64_t num_findings = 0;  // that count
  std::chrono::nanoseconds elapsed = {};
};

struct Found {
  finding::Finding finding;
  uint64_t execution = 0;  // that showed it first, from 1
  std::string strategy;    // with its parameters
  uint64_t seed = 0;
  uint64_t times = 1;
  uint64_t repeated = 0;  // of `tried` repetitions
  uint64_t tried = 0;
  uint64_t followed = 0;  // of them: a server that did the same, clientless
  bool counts = true;     // neither ignored nor suppressed
};

// What another schedule of the first execution could run into.
struct Forecast {
  // Predicted, or refuted; its witness has what was tried.
  finding::Finding finding;
  // Of CampaignResult::findings, the one that shows it; none = none does.
  std::optional<size_t> shown_by = {};
};

class CampaignObserver {
 public:
  virtual ~CampaignObserver() = default;

  // Executions are run otherwise than was asked for; why, in lines.
  virtual void OnOtherRunner(const std::vector<std::string>& /*reasons*/) {}

  // After each execution.
  virtual Status OnProgress(const Progress& progress) = 0;

  // A failure that none before looked like. Says whether it counts, or an error
  // that ends the campaign.
  virtual Result<bool> OnFinding(const Found& found) = 0;

  // What is predicted: before it is forced, and once more at the end with what
  // came of it.
  virtual Status OnForecasts(const std::vector<Forecast>& /*forecasts*/) {
    return {};
  }
};

enum class CampaignEnding {
  kBudget,       // executions or time are spent
  kFound,        // stopped at the first finding
  kExhausted,    // the strategy has nothing left to try
  kAlways,       // fails in every schedule
  kNothing,      // there is nothing that a schedule could change
  kInterrupted,  // by the user
};
std::string_view WordOf(CampaignEnding ending);

// Executions that were cut short for one reason.
struct CutShort {
  uint64_t times = 0;
  // Of these, had far more time than others need, and could have run.
  uint64_t stuck = 0;
  std::vector<std::string> where;  // the first one was, in lines
};

struct CampaignResult {
  CampaignEnding ending = CampaignEnding::kBudget;
  bool time_over = false;  // of kBudget: that is what was spent
  std::string runner;      // its name
  Progress progress;
  std::vector<Found> findings;
  std::vector<Forecast> forecasts;
  std::map<std::string, CutShort> cuts;  // by why
  std::vector<Planner::Share> shares;
  uint64_t last_new_behaviour = 0;  // an execution, from 1
  uint64_t num_unrepeated = 0;  // failed among others in one process, not alone
  uint64_t num_lost_clients = 0;  // failed, and the server did not repeat it
  std::string lost_client;        // what the first of them came to
  uint64_t num_in_process = 0;    // executions that were closures of a batch
  std::vector<Claim> never;  // what the program says must be so, and never was
  size_t num_claims = 0;     // that it made
  std::string remark;
  size_t num_idle_sites = 0;
  size_t num_predicted = 0;           // targets that were forced
  size_t num_realised = 0;            // of them
  std::vector<std::string> harmless;  // of those: nothing failed; sentences
  // Data races that code which was not compiled with us may prevent; sentences.
  std::vector<std::string> possible;
  // Of a finished execution; of what was not controlled, the most of any, and
  // annotations that any called in vain.
  abi::Outcome last_outcome = {};
  uint32_t most_threads = 0;  // of an execution, under control
  uint64_t num_clients = 0;   // executions whose client ran to its end
  // What kept the campaign from going on; what was found until then counts.
  std::optional<Error> error;
};

CampaignResult RunCampaign(const CampaignOptions& options, Runner& runner,
                           Planner& planner, CampaignObserver& observer,
                           const InterruptWatch& interrupts);

// With a runner that it chooses itself. The executions that are run for that
// are judged, and count if they fail or are cut.
CampaignResult RunCampaign(const CampaignOptions& options, ForkChoice fork,
                           Planner& planner, CampaignObserver& observer,
                           const InterruptWatch& interrupts);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_CAMPAIGN_H_
