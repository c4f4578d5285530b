// explore/plan/steady_planner.h
//
// The planner of a campaign with one strategy: seed after seed, and the
// parameters that come from earlier executions (k of `pct`, weights of `surw`)
// kept up to date. What the user has given is never changed.

#ifndef FAIRLEAD_EXPLORE_PLAN_STEADY_PLANNER_H_
#define FAIRLEAD_EXPLORE_PLAN_STEADY_PLANNER_H_

#include "explore/plan/behaviours.h"
#include "explore/plan/learnt.h"
#include "explore/plan/planner.h"

namespace fairlead::explore {

// `spec` with the parameters that `learnt` knows and that are not given; the
// weights of `surw` go to `weights`.
StrategySpec Informed(StrategySpec spec, const Learnt& learnt,
                      std::vector<abi::WeightRecord>& weights);

class SteadyPlanner final : public Planner {
 public:
  SteadyPlanner(StrategySpec spec, uint64_t seed) : spec_(spec), seed_(seed) {}

  std::optional<Planned> Next() override;
  void Learn(const Planned& planned, const Observed& observed) override;
  std::vector<Share> shares() const override;
  uint64_t num_behaviours() const override { return behaviours_.number(); }

 private:
  StrategySpec spec_;
  uint64_t seed_;
  uint64_t number_ = 0;
  Learnt learnt_;
  Behaviours behaviours_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_STEADY_PLANNER_H_
