// sched/plan.h
//
// What a strategy is told before an execution starts. Plain values: the engine
// writes them into the control page, the runtime reads them from there.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_PLAN_H_
#define FAIRLEAD_SCHED_PLAN_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

namespace fairlead::sched {

// Every strategy by name; numbers are part of the control page's format.
enum class StrategyId : uint32_t {
#define FL_STRATEGY(type, name, number, help) k##type = number,
#include "sched/strategies.inc"
#undef FL_STRATEGY
};

struct ExecutionPlan {
  uint64_t seed = 0;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_PLAN_H_
