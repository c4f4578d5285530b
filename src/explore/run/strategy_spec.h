// explore/run/strategy_spec.h
//
// A strategy with its parameters, as the user writes it:
//
//   random      pct:3      pct:c=3,k=812      randdelay:delay=200
//
// A value without a name is the first parameter. Which parameters a strategy
// has, and what they are when they are not given, is in sched/strategies.inc.

#ifndef FAIRLEAD_EXPLORE_RUN_STRATEGY_SPEC_H_
#define FAIRLEAD_EXPLORE_RUN_STRATEGY_SPEC_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sched/factory.h"

namespace fairlead::explore {

using StrategyParams = std::array<uint64_t, sched::kMaxParams>;

struct StrategySpec {
  sched::StrategyId id = sched::StrategyId::kRandom;
  StrategyParams params = {};

  friend bool operator==(const StrategySpec&, const StrategySpec&) = default;
};

// The strategy with its parameters at their defaults.
StrategySpec DefaultSpec(sched::StrategyId id);

// Refuses names of no strategy, and those that only the tool uses (`replay`,
// `prefix`), with a hint that lists the others.
Result<StrategySpec> ParseStrategySpec(std::string_view text);

// The shortest text that gives `spec` back.
std::string FormatStrategySpec(const StrategySpec& spec);

// One line for each strategy that can be asked for, for --help.
std::string StrategyHelp();

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_STRATEGY_SPEC_H_
