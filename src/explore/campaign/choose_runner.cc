#include "explore/campaign/choose_runner.h"

#include "base/patience.h"
#include "explore/campaign/confirm.h"
#include "explore/judge/determinism.h"

namespace fairlead::explore {
namespace {

using Lines = std::vector<std::string>;

// Runs executions in slot 0 of runners and holds them against the first one.
class Trials {
 public:
  Trials(const Task& task, const OnTrial& on_trial)
      : task_(task), on_trial_(on_trial) {
    task_.follow = {};
    task_.observer = &comparison_;
    task_.plan.flags &= ~uint64_t{abi::kPlanFollow | abi::kPlanPrefix};
    task_.plan.flags |= abi::kPlanTrace | abi::kPlanAllPoints;
  }

  // How one of `runner` differs from the first one, in lines; none of the
  // first. Nothing once it is enough.
  Result<std::optional<Lines>> Run(Runner& runner) {
    comparison_.BeginRepetition();
    Result<Finished> finished = RunOne(runner, task_);
    if (!finished) return finished.error();
    const bool enough =
        on_trial_ && on_trial_(*finished) == AfterTrial::kEnough;
    if (enough || ShouldStop()) return std::optional<Lines>();
    Namer names(*finished->executed.memory);
    return std::optional(comparison_.Differences(finished->executed, names));
  }

 private:
  Task task_;
  const OnTrial& on_trial_;
  Comparison comparison_;
};

constexpr char kNotCompared[] =
    "an execution was cut, so forked ones could not be compared with it";

// How an execution of `other` differs from one of `fresh`, in lines; none if
// two of `fresh` differ as well.
Result<Lines> DifferenceFromFresh(Runner& fresh, Runner& other,
                                  const Task& task, const OnTrial& on_trial) {
  Trials trials(task, on_trial);
  // A program that never repeats itself does not do so because of the fork, so
  // it is asked again if it differs.
  Lines difference;
  for (Runner* runner : {&fresh, &other, &fresh}) {
    Result<std::optional<Lines>> lines = trials.Run(*runner);
    if (!lines) return lines.error();
    if (!*lines) return Lines{kNotCompared};
    if (runner == &other) {
      difference = **std::move(lines);
      if (difference.empty()) break;
    } else if (!(*lines)->empty()) {
      return Lines{};
    }
  }
  return difference;
}

}  // namespace

Result<ChosenRunner> ChooseRunner(const Setting& setting, ForkChoice wanted,
                                  const Task& trial, const OnTrial& on_trial) {
  Result<std::unique_ptr<Runner>> fresh = MakeFreshRunner(setting);
  if (!fresh) return fresh.error();
  ChosenRunner chosen;
  std::vector<ForkAt> places;
  if (wanted == ForkChoice::kMain) places.push_back(ForkAt::kMain);
  if (wanted != ForkChoice::kNever) places.push_back(ForkAt::kStart);
  for (const ForkAt place : places) {
    Result<std::unique_ptr<Runner>> forked = MakeForkRunner(setting, place);
    if (ShouldStop()) break;
    if (!forked) {
      chosen.reasons.push_back(forked.error().Text());
      continue;
    }
    Result<Lines> difference =
        DifferenceFromFresh(**fresh, **forked, trial, on_trial);
    if (!difference) return difference.error();
    if (difference->empty()) {
      chosen.runner = *std::move(forked);
      return chosen;
    }
    if (difference->front() == kNotCompared) {
      // Who has no time left, or does not want to wait, does not ask why.
      if (!ShouldStop()) chosen.reasons.emplace_back(kNotCompared);
      break;
    }
    chosen.reasons.push_back(
        "a forked execution is not the same as one of a fresh process:");
    for (std::string& line : *difference) {
      chosen.reasons.push_back("  " + std::move(line));
    }
    break;
  }
  chosen.runner = *std::move(fresh);
  return chosen;
}

}  // namespace fairlead::explore
