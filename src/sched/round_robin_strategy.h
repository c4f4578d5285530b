// sched/round_robin_strategy.h
//
// Switches at every point, to the enabled thread that follows the running one
// in order of creation, and from the last to the first. The finest interleaving
// there is, and the same in every execution.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_ROUND_ROBIN_STRATEGY_H_
#define FAIRLEAD_SCHED_ROUND_ROBIN_STRATEGY_H_

#include "sched/strategy.h"

namespace fairlead::sched {

class RoundRobinStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan&) noexcept override {}

  size_t Pick(const Point& point) noexcept override {
    if (point.running == Tid::kNone) return 0;
    for (size_t i = 0; i < point.enabled.size(); ++i) {
      if (point.enabled[i].tid > point.running) return i;
    }
    return 0;
  }
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_ROUND_ROBIN_STRATEGY_H_
