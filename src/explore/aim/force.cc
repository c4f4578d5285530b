#include "explore/aim/force.h"

#include <fmt/core.h>

#include "explore/aim/attempts.h"
#include "explore/aim/target_places.h"
#include "explore/run/seeds.h"
#include "explore/run/target_record.h"
#include "sched/director_strategy.h"
#include "sched/factory.h"

namespace fairlead::explore {
namespace {

bool Realised(const finding::Target& target,
              const abi::TargetProgress& progress, const Verdict& verdict) {
  switch (target.success) {
    case finding::Success::kOrder:
      return progress.success != 0;
    case finding::Success::kDeadlock:
      return verdict.word == VerdictWord::kDeadlock;
    case finding::Success::kFailure:
      return verdict.exit == ExitCode::kFindings;
  }
  return false;
}

}  // namespace

Status PlanAttempt(abi::Plan& plan, uint64_t attempt,
                   const std::optional<StrategySpec>& base) {
  constexpr size_t kOwnParams = 2;  // attempt, base
  plan.strategy = static_cast<uint32_t>(sched::StrategyId::kDirector);
  for (uint64_t& param : plan.params) param = 0;
  plan.params[0] = attempt;
  if (!base) return {};
  if (!sched::CanBeBase(base->id)) {
    return Error(ErrorCode::kUsage)
        .Say("'{}' cannot decide underneath a director",
             sched::FindStrategy(base->id)->name);
  }
  plan.params[1] = static_cast<uint64_t>(base->id);
  for (size_t i = kOwnParams; i < sched::kMaxParams; ++i) {
    plan.params[i] = base->params[i - kOwnParams];
  }
  return {};
}

namespace {

// By step, where the program's own tables know it.
std::vector<std::string> FunctionsOf(const finding::Target& target,
                                     const std::string& program) {
  std::vector<std::string> functions(target.steps.size());
  const Result<trace::SiteTable> sites = SitesOf(program);
  if (!sites) return functions;
  for (const trace::SiteName& site : sites->sites) {
    for (size_t step = 0; step < target.steps.size(); ++step) {
      if (site.anchor == target.steps[step].anchor) {
        functions[step] = site.function;
      }
    }
  }
  return functions;
}

// Makes the attempts at one target.
class Forcer {
 public:
  Forcer(const finding::Target& target, Order order,
         const std::vector<int>& ok_exits, const Forcing& forcing)
      : attempts_(target, FunctionsOf(target, order.program.path),
                  {.most = forcing.attempts, .fill = true, .insist = true}),
        order_(std::move(order)),
        ok_exits_(ok_exits),
        forcing_(forcing),
        seed_(order_.plan.seed) {}

  Result<Forced> Run() {
    while (const std::optional<Attempt> attempt = attempts_.Next()) {
      const Result<Went> went = Make(*attempt);
      if (!went) return went.error();
      if (*went != Went::kOn) break;
    }
    const uint64_t realised_in = attempts_.realised_in();
    forced_.progress = attempts_.progress();
    forced_.attempts = realised_in != 0 ? realised_in : attempts_.num_made();
    forced_.further = attempts_.num_made() - forced_.attempts;
    forced_.tried = attempts_.Tried();
    if (realised_in != 0) {
      forced_.reached = Reached::kRealised;
      return std::move(forced_);
    }
    if (forced_.progress.best != 0) forced_.reached = Reached::kPartly;
    forced_.why = WhyNot(attempts_.target(), forced_.progress);
    return std::move(forced_);
  }

 private:
  enum class Went { kOn, kOver };

  Result<Went> Make(const Attempt& attempt) {
    const abi::TargetRecord record = RecordOf(attempt.prepared.target);
    if (Status planned = PlanAttempt(order_.plan, attempt.base, forcing_.base);
        !planned) {
      return planned.error();
    }
    order_.plan.flags |= PlanFlagsFor(attempt.prepared.target);
    order_.plan.seed = SeedOf(seed_, SeedFor::kTarget, attempt.number);
    order_.follow.target = {&record, 1};
    AttemptObserver observer;
    EventStream stream(observer);
    order_.observer = &stream;
    order_.plan.flags |= abi::kPlanTrace;
    const Result<Executed> executed = Execute(order_);
    if (!executed) return executed.error();
    Namer namer(*executed->memory);
    const abi::TargetProgress progress = ProgressOf(*executed->memory);
    const uint64_t in_sight =
        OwnProgress(progress, attempt.prepared.own).in_sight;
    return Judged(*executed, namer, attempt.prepared,
                  {.progress = progress,
                   .seen = std::make_shared<SeenExecution>(
                       observer.Finish(namer, in_sight))});
  }

  Went Judged(const Executed& executed, Namer& namer, const Prepared& prepared,
              AttemptEnd end) {
    const Verdict verdict = Judge(executed, ok_exits_, namer);
    const bool again = attempts_.realised_in() != 0;
    end.realised = Realised(attempts_.target(),
                            OwnProgress(end.progress, prepared.own), verdict);
    end.failed = end.realised && verdict.exit == ExitCode::kFindings;
    // What is kept of several that realised it: the first, or one that failed.
    if (!again || end.failed) forced_.last = executed;
    if (attempts_.Learn(end)) forced_.verdict = verdict;
    if (end.realised && !again &&
        prepared.own.size() != prepared.target.steps.size()) {
      forced_.prepared = prepared.target;
    }
    forced_.stopped = verdict.word == VerdictWord::kInterrupted;
    return EndsAll(verdict) ? Went::kOver : Went::kOn;
  }

  Attempts attempts_;
  Order order_;
  const std::vector<int>& ok_exits_;
  const Forcing& forcing_;
  uint64_t seed_;
  Forced forced_;
};

}  // namespace

Result<Forced> ForceTarget(const finding::Target& target, Order order,
                           const std::vector<int>& ok_exits,
                           const Forcing& forcing) {
  if (Status can = CheckForcible(target); !can) return can.error();
  return Forcer(target, std::move(order), ok_exits, forcing).Run();
}

}  // namespace fairlead::explore
