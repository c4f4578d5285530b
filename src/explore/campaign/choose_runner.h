// explore/campaign/choose_runner.h
//
// Which runner a campaign takes: a fork server where forked executions are the
// same as those of fresh processes, else fresh processes. Tried out with one
// execution of each kind, compared event by event.
//
// Unsound: one execution stands for all; a difference that other schedules
// would show goes unnoticed here. Findings are repeated in fresh processes in
// any case. A program whose execution is cut is not run again to be compared.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_CHOOSE_RUNNER_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_CHOOSE_RUNNER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "explore/run/runner.h"

namespace fairlead::explore {

// What the user asks for (--fork-at).
enum class ForkChoice { kMain, kStart, kNever };

struct ChosenRunner {
  std::unique_ptr<Runner> runner;
  // Why it is not what was asked for, in lines; empty if it is.
  std::vector<std::string> reasons = {};
};

// What becomes of the choice after an execution that was made for it.
enum class AfterTrial { kGoOn, kEnough };
// Is given each of them, to be judged like any other.
using OnTrial = std::function<AfterTrial(const Finished& finished)>;

// `trial` is how the executions of the campaign will be planned; its observer
// and inputs are not used.
Result<ChosenRunner> ChooseRunner(const Setting& setting, ForkChoice wanted,
                                  const Task& trial,
                                  const OnTrial& on_trial = {});

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_CHOOSE_RUNNER_H_
