#include "sched/prefix_strategy.h"

namespace fairlead::sched {

void PrefixStrategy::Begin(const ExecutionPlan& plan) noexcept {
  replay_.Begin(plan);
  // `replay` would begin again; `prefix` does not fit into itself.
  base_ = plan.base == StrategyId::kReplay ? nullptr
                                           : MakeStrategy(plan.base, room_);
  if (base_ == nullptr) base_ = MakeStrategy(StrategyId::kFirst, room_);
  base_->Begin(plan);
}

}  // namespace fairlead::sched
