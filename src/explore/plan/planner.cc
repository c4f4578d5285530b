#include "explore/plan/planner.h"

#include <fmt/format.h>

#include "base/closest.h"
#include "explore/plan/auto_planner.h"
#include "explore/plan/chess_planner.h"
#include "explore/plan/steady_planner.h"
#include "explore/run/target_record.h"

namespace fairlead::explore {

void Planned::WriteTo(abi::Plan& plan) const {
  plan.strategy = static_cast<uint32_t>(strategy.id);
  for (size_t i = 0; i < strategy.params.size(); ++i) {
    plan.params[i] = strategy.params[i];
  }
  plan.seed = seed;
  plan.flags |= flags;
  if (iterations != 0) plan.flags |= abi::kPlanExplore;
  plan.explore_iterations = iterations;
  plan.explore_done = iterations_done;
  plan.explore_call = explore_call;
  plan.explore_seed = explore_seed;
  if (!prefix.empty()) plan.flags |= abi::kPlanPrefix;
  if (sites == Sites::kAll) plan.flags |= abi::kPlanAllPoints;
}

Observed ObservedOf(const Executed& executed, Observed::End end) {
  const ControlMemory& memory = *executed.memory;
  return {
      .end = end,
      .steps = executed.outcome.steps,
      .points = executed.outcome.points,
      .num_threads = executed.outcome.num_threads,
      .point_set = executed.outcome.point_set_digest,
      .threads = memory.Entries<abi::ThreadEntry>(abi::RegionId::kThreads),
      .choices = memory.Entries<abi::ChoiceRecord>(abi::RegionId::kChoicesOut),
      .features = memory.Entries<uint64_t>(abi::RegionId::kFeatures),
      .counts = memory.Entries<abi::OperationCount>(abi::RegionId::kCounts),
      .seen = memory.Entries<abi::SeenRecord>(abi::RegionId::kPointsOut),
      .target = ProgressOf(memory),
      .explored = executed.outcome.explored,
      .explore_steps = executed.outcome.explore_steps,
      .explore_more = executed.outcome.explore_more};
}

Result<std::unique_ptr<Planner>> MakePlanner(std::string_view spec,
                                             uint64_t seed) {
  if (spec == "auto") return std::make_unique<AutoPlanner>(seed);
  const std::string_view name = spec.substr(0, spec.find(':'));
  if (name != spec && (name == "auto" || name == "maple")) {
    return Error(ErrorCode::kUsage)
        .Say("the strategy {} takes no parameters", name)
        .Hint("write --strategy {}", name);
  }
  Result<StrategySpec> strategy = ParseStrategySpec(spec);
  if (!strategy) {
    const Error& error = strategy.error();
    const std::string others[] = {"auto", "maple"};
    if (const std::string meant = DidYouMean(spec, others); !meant.empty()) {
      return Error(ErrorCode::kUsage)
          .Say("{}", error.sentence())
          .Hint("{}", meant);
    }
    return Error(ErrorCode::kUsage)
        .Say("{}", error.sentence())
        .Hint("{}; or auto or maple, which take no parameters", error.hint());
  }
  if (strategy->id == sched::StrategyId::kChess) {
    return std::make_unique<ChessPlanner>(strategy->params[0]);
  }
  return std::make_unique<SteadyPlanner>(*strategy, seed);
}

std::string PlannerHelp() {
  return fmt::format(
             "  {:<12} shares executions among the others by what they show\n",
             "auto") +
         StrategyHelp();
}

}  // namespace fairlead::explore
