// sched/first_strategy.h
//
// No preemption: the running thread goes on until it must wait, ends or yields;
// then the oldest enabled thread goes on. The plainest execution of a program,
// and what other strategies fall back to when they have no opinion.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_FIRST_STRATEGY_H_
#define FAIRLEAD_SCHED_FIRST_STRATEGY_H_

#include "sched/strategy.h"

namespace fairlead::sched {

class FirstStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan&) noexcept override {}

  size_t Pick(const Point& point) noexcept override {
    const size_t running = Find(point, point.running);
    return running == kNotEnabled ? 0 : running;
  }
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_FIRST_STRATEGY_H_
