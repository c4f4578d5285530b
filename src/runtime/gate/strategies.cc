#include "runtime/gate/strategies.h"

#include "runtime/gate/gate.h"
#include "runtime/gate/insight.h"
#include "runtime/sys/check.h"
#include "sched/factory.h"

namespace fairlead::rt {
namespace {

sched::StrategyStorage strategy_storage;
sched::ExecutionPlan execution_plan;
sched::StrategyId chosen_strategy;

sched::Strategy& BeginStrategy() {
  sched::Strategy* strategy = strategy_storage.Make(chosen_strategy);
  RT_CHECK(strategy != nullptr);
  strategy->Begin(execution_plan);
  return *strategy;
}

}  // namespace

sched::Strategy& MakeStrategy(abi::ControlPage& page) {
  const abi::Plan& plan = page.plan;
  auto id = static_cast<sched::StrategyId>(plan.strategy);
  execution_plan.seed = plan.seed;
  execution_plan.following = &gate().following();
  static_assert(sizeof(execution_plan.params) == sizeof(plan.params));
  for (size_t i = 0; i < sched::kMaxParams; ++i) {
    execution_plan.params[i] = plan.params[i];
  }
  execution_plan.weights = {
      page.entries<abi::WeightRecord>(abi::RegionId::kWeightsIn),
      page.region(abi::RegionId::kWeightsIn).used};
  execution_plan.insight = &gate_insight();
  execution_plan.target =
      page.region(abi::RegionId::kTarget).used == 0
          ? nullptr
          : page.entries<abi::TargetRecord>(abi::RegionId::kTarget);
  if ((plan.flags & (abi::kPlanFollow | abi::kPlanPrefix)) != 0) {
    execution_plan.base = id;
    execution_plan.choices = {
        page.entries<abi::ChoiceRecord>(abi::RegionId::kChoicesIn),
        page.region(abi::RegionId::kChoicesIn).used};
    if ((plan.flags & abi::kPlanFollow) != 0) {
      id = sched::StrategyId::kReplay;
    } else if (id != sched::StrategyId::kSketch) {
      id = sched::StrategyId::kPrefix;
    }
  }
  chosen_strategy = id;
  return BeginStrategy();
}

sched::Strategy& RestartStrategy(uint64_t seed) {
  execution_plan.seed = seed;
  return BeginStrategy();
}

}  // namespace fairlead::rt
