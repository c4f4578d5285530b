// explore/plan/auto_planner.h
//
// The planner behind `--strategy auto`, the default: a portfolio. No strategy
// is good at everything, so several share the budget, each with a part that it
// keeps whatever happens; the rest goes to those that lately showed new
// behaviours (features, runtime/sites/features.h). Schedules that did are gone
// on from (explore/plan/corpus.h), which is one more way to plan, an *arm*.
//
//   execution 0     `pos` over all sites, and a profile: which sites are shared
//   1, 2, …         arms in turn, by their shares
//   every 16th      with all sites as points, should the profile have missed
//   one now and then    a profile again; the set of points only grows
//
// The same seed and the same results give the same plans.

#ifndef FAIRLEAD_EXPLORE_PLAN_AUTO_PLANNER_H_
#define FAIRLEAD_EXPLORE_PLAN_AUTO_PLANNER_H_

#include <array>

#include "explore/plan/behaviours.h"
#include "explore/plan/corpus.h"
#include "explore/plan/learnt.h"
#include "explore/plan/planner.h"
#include "sched/rng.h"

namespace fairlead::explore {

class AutoPlanner final : public Planner {
 public:
  explicit AutoPlanner(uint64_t seed) : rng_(seed) {}

  std::optional<Planned> Next() override;
  void Learn(const Planned& planned, const Observed& observed) override;

  uint64_t num_behaviours() const override { return behaviours_.number(); }
  std::vector<Share> shares() const override;

  enum Arm : uint64_t {
    kRandom,
    kPos,
    kSurw,
    kPct,
    kGoOn,  // from a schedule of the corpus
    kNumArms,
  };

 private:
  struct ArmState {
    uint64_t executions = 0;
    uint64_t earned = 0;  // features
    double credit = 0;    // what it is owed: the most is next
    double earning = 0;   // lately, per execution
  };

  Arm ChooseArm();
  void Fill(Planned& planned, Arm arm);
  StrategySpec PctSpec();
  StrategySpec SurwSpec();

  sched::Rng rng_;
  uint64_t number_ = 0;
  std::array<ArmState, kNumArms> arms_;
  Learnt learnt_;
  Corpus corpus_;
  uint64_t point_set_ = 0;  // of the executions that learnt_ and corpus_ know
  Behaviours behaviours_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_AUTO_PLANNER_H_
