// sched/prefix_strategy.h
//
// Follows a schedule to its end, then lets another strategy (`plan.base`)
// decide. What a search uses to vary an execution that was worth it, and to go
// on from the middle of one. A divergence ends the following too.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_PREFIX_STRATEGY_H_
#define FAIRLEAD_SCHED_PREFIX_STRATEGY_H_

#include "sched/factory.h"
#include "sched/replay_strategy.h"
#include "sched/strategy.h"

namespace fairlead::sched {

class PrefixStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override;

  size_t Pick(const Point& point) noexcept override {
    return replay_.done() ? base_->Pick(point) : replay_.Pick(point);
  }

 private:
  ReplayStrategy replay_;
  Strategy* base_ = nullptr;  // in room_
  alignas(kStrategyAlignment) unsigned char room_[kBaseStrategyBytes];
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_PREFIX_STRATEGY_H_
