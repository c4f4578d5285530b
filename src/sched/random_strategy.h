// sched/random_strategy.h
//
// A uniform random walk: at each point every enabled thread is equally likely.
// The baseline that other strategies are measured against.
//
// Unsound: an order that needs one thread to win k points in a row has
// probability 2^-k with two threads, so deep bugs stay unseen.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_RANDOM_STRATEGY_H_
#define FAIRLEAD_SCHED_RANDOM_STRATEGY_H_

#include "sched/rng.h"
#include "sched/strategy.h"

namespace fairlead::sched {

class RandomStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override {
    rng_ = Rng(plan.seed);
  }
  size_t Pick(const Point& point) noexcept override {
    return static_cast<size_t>(rng_.Below(point.enabled.size()));
  }

 private:
  Rng rng_;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_RANDOM_STRATEGY_H_
