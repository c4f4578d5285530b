#include "explore/campaign/serial_runs.h"

#include "base/patience.h"
#include "explore/campaign/confirm.h"
#include "explore/campaign/under_way.h"

namespace fairlead::explore {

Planned PlannedOf(SerialOrder order, uint64_t campaign_seed) {
  const SerialPlan plan = PlanOf(order, campaign_seed);
  Planned planned;
  planned.strategy = plan.strategy;
  planned.seed = plan.seed;
  return planned;
}

Status SerialRuns::MakeRunner() {
  if (runner_ != nullptr) return {};
  Setting setting = options_.setting;
  setting.jobs = 1;
  setting.drive.clear();
  Result<std::unique_ptr<Runner>> made = MakeFreshRunner(setting);
  if (!made) return made.error();
  runner_ = *std::move(made);
  return {};
}

Result<std::optional<SerialReference>> SerialRuns::Run(SerialOrder order) {
  const Error stopped =
      Error(ErrorCode::kInterrupted).Say("no time is left for references");
  if (ShouldStop()) return stopped;
  if (const Status made = MakeRunner(); !made) return made.error();
  UnderWay execution(PlannedOf(order, options_.seed));
  oracles_.Watch(execution.watched);
  WatchReference(oracles_.needs(), execution.watched);
  const Result<Finished> finished =
      RunOne(*runner_, TaskOf(options_, {}, execution));
  if (!finished) return finished.error();
  // What was cut for that is no answer.
  if (HadEnough() == Enough::kUser) return stopped;
  if (!oracles_.CanBeReference(*finished, &execution.watched)) {
    return std::optional<SerialReference>();
  }
  return std::optional(ReferenceOf(*finished, execution.watched));
}

}  // namespace fairlead::explore
