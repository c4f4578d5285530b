#include "explore/choose_runner.h"

#include "explore/determinism.h"
#include "explore/interrupt.h"

namespace fairlead::explore {
namespace {

using Lines = std::vector<std::string>;

// Runs `task` in slot 0, under the eyes of `comparison`, to its end.
Result<Executed> RunTrial(Runner& runner, Task task, Comparison& comparison) {
  comparison.BeginRepetition();
  task.follow = {};
  task.observer = &comparison;
  task.plan.flags &= ~uint64_t{abi::kPlanFollow | abi::kPlanPrefix};
  task.plan.flags |= abi::kPlanTrace | abi::kPlanAllPoints;
  const Status started = runner.Start(0, task);
  if (!started) return started.error();
  while (true) {
    auto next = runner.Next(std::chrono::milliseconds(100));
    if (!next) return next.error();
    if (*next) return std::move((*next)->executed);
    if (ArrivedSignal() != 0) runner.StopAll();
  }
}

// How a second execution, of `other`, differs from one of `first`.
Result<Lines> Compare(Runner& first, Runner& other, const Task& trial) {
  Comparison comparison;
  Result<Executed> before = RunTrial(first, trial, comparison);
  if (!before) return before.error();
  Namer first_names(*before->memory);
  comparison.Differences(*before, first_names);
  Result<Executed> after = RunTrial(other, trial, comparison);
  if (!after) return after.error();
  Namer names(*after->memory);
  return comparison.Differences(*after, names);
}

}  // namespace

Result<Lines> DifferenceFromFresh(Runner& fresh, Runner& other,
                                  const Task& trial) {
  Result<Lines> difference = Compare(fresh, other, trial);
  if (!difference || difference->empty()) return difference;
  // A program that never repeats itself does not do so because of the fork.
  const Result<Lines> own = Compare(fresh, fresh, trial);
  if (!own) return own.error();
  return own->empty() ? *std::move(difference) : Lines{};
}

Result<ChosenRunner> ChooseRunner(const Setting& setting, ForkChoice wanted,
                                  const Task& trial) {
  Result<std::unique_ptr<Runner>> fresh = MakeFreshRunner(setting);
  if (!fresh) return fresh.error();
  ChosenRunner chosen;
  std::vector<ForkAt> places;
  if (wanted == ForkChoice::kMain) places.push_back(ForkAt::kMain);
  if (wanted != ForkChoice::kNever) places.push_back(ForkAt::kStart);
  for (const ForkAt place : places) {
    Result<std::unique_ptr<Runner>> forked = MakeForkRunner(setting, place);
    if (!forked) {
      chosen.reasons.push_back(forked.error().Text());
      continue;
    }
    Result<Lines> difference = DifferenceFromFresh(**fresh, **forked, trial);
    if (!difference) return difference.error();
    if (difference->empty()) {
      chosen.runner = *std::move(forked);
      return chosen;
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
