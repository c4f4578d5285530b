#include "explore/campaign/request_runs.h"

#include "base/patience.h"
#include "explore/campaign/confirm.h"
#include "explore/judge/judgement.h"
#include "explore/judge/outcome_oracle.h"
#include "explore/watch/request_watch.h"

namespace fairlead::explore {
namespace {

class RequestRuns {
 public:
  explicit RequestRuns(RequestRunsOptions options)
      : options_(std::move(options)) {}

  Result<ServedInOrder> Run(const RequestReferences::Order& order,
                            World world) {
    const Error stopped =
        Error(ErrorCode::kInterrupted).Say("no time is left for references");
    if (ShouldStop()) return stopped;
    if (const Status made = MakeRunner(); !made) return made.error();
    RequestWatch watch;
    EventStream stream(watch);
    Task task;
    task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kSerial);
    task.plan.flags =
        WithPolicies(abi::kPlanQuiet | abi::kPlanNoDigest | abi::kPlanTrace);
    task.plan.other_world = world == World::kOther ? 1 : 0;
    task.plan.max_steps = options_.max_steps;
    task.follow.requests = order;
    task.observer = &stream;
    task.timeout = options_.timeout;
    const Result<Finished> finished = RunOne(*runner_, task);
    if (!finished) return finished.error();
    if (HadEnough() != Enough::kNo) return stopped;
    if (!stream.status()) return stream.status().error();
    return ServedInOrder{.history = watch.history(),
                         .state = watch.state(),
                         .ended = CameToItsEnd(*finished)};
  }

 private:
  bool CameToItsEnd(const Finished& finished) const {
    return JudgeOutcome(finished.executed).end == Judgement::End::kOk &&
           IsOkEnding(finished.executed.ending, options_.ok_exits);
  }

  Status MakeRunner() {
    if (runner_ != nullptr) return {};
    Setting setting = options_.setting;
    setting.jobs = 1;
    setting.drive.clear();
    if (options_.fork) {
      if (auto forks = MakeForkRunner(setting, ForkAt::kMain)) {
        runner_ = *std::move(forks);
        return {};
      }
    }
    Result<std::unique_ptr<Runner>> fresh = MakeFreshRunner(setting);
    if (!fresh) return fresh.error();
    runner_ = *std::move(fresh);
    return {};
  }

  RequestRunsOptions options_;
  std::unique_ptr<Runner> runner_;  // made when needed
};

}  // namespace

std::shared_ptr<RequestReferences> MakeRequestReferences(
    RequestRunsOptions options) {
  auto runs = std::make_shared<RequestRuns>(std::move(options));
  return std::make_shared<RequestReferences>(
      [runs](const RequestReferences::Order& order, World world) {
        return runs->Run(order, world);
      });
}

}  // namespace fairlead::explore
