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

#include "abi/control.h"
#include "abi/schedule.h"
#include "abi/target.h"

namespace fairlead::sched {

class Insight;

// Every strategy by name; numbers are part of the control page's format.
enum class StrategyId : uint32_t {
#define FL_STRATEGY(type, name, number, params, help) k##type = number,
#include "sched/strategies.inc"
#undef FL_STRATEGY
};

// How far a schedule was followed. Written by the strategies that follow one;
// whoever runs the execution reads it, and at the end finds records that were
// never reached by `followed < plan.choices.size()`.
struct Following {
  size_t followed = 0;         // records of the schedule that were carried out
  bool parted = false;         // the execution could not follow the next one
  abi::Divergence where = {};  // meaningful once parted; `event` is not set
};

inline constexpr size_t kMaxParams = 8;  // abi::Plan::params

struct ExecutionPlan {
  uint64_t seed = 0;
  uint64_t params[kMaxParams] = {};  // meaning by strategy: strategies.inc

  // For `surw`, by thread number; threads beyond it are not known.
  std::span<const abi::WeightRecord> weights = {};

  // For `director`; null = none. Its progress is written there.
  abi::TargetRecord* target = nullptr;
  const Insight* insight = nullptr;  // null = nobody answers

  // The schedule to follow, for `replay` and `prefix`.
  std::span<const abi::ChoiceRecord> choices = {};
  Following* following = nullptr;  // null = nobody asks

  // For `prefix`: who decides once the schedule is followed to its end. A
  // director's base is one of its params.
  StrategyId base = StrategyId::kRandom;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_PLAN_H_
