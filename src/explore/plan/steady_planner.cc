#include "explore/plan/steady_planner.h"

#include "explore/run/seeds.h"

namespace fairlead::explore {

using sched::StrategyId;

StrategySpec Informed(StrategySpec spec, const Learnt& learnt,
                      std::vector<abi::WeightRecord>& weights) {
  constexpr size_t kSteps = 1;  // k of pct and pctlarge
  if (spec.id == StrategyId::kPct || spec.id == StrategyId::kPctLarge) {
    if (spec.params[kSteps] == 0) spec.params[kSteps] = learnt.steps();
  }
  if (spec.id == StrategyId::kSurw) weights = learnt.Weights(spec.params[0]);
  return spec;
}

std::optional<Planned> SteadyPlanner::Next() {
  Planned planned;
  planned.number = number_;
  planned.seed = SeedOf(seed_, SeedFor::kSearch, number_);
  planned.strategy = Informed(spec_, learnt_, planned.weights);
  planned.flags = abi::kPlanFeatures;
  ++number_;
  return planned;
}

void SteadyPlanner::Learn(const Planned&, const Observed& observed) {
  behaviours_.Learn(observed.features);
  learnt_.Learn(observed);
}

std::vector<Planner::Share> SteadyPlanner::shares() const {
  return {{FormatStrategySpec(spec_), number_, behaviours_.number()}};
}

}  // namespace fairlead::explore
