#include "explore/aim/force.h"

#include <fmt/core.h>

#include <bit>

#include "explore/aim/approach.h"
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
      return verdict.word == "deadlock";
    case finding::Success::kFailure:
      return verdict.exit == ExitCode::kFindings;
  }
  return false;
}

bool IsFurther(const abi::TargetProgress& a, const abi::TargetProgress& b) {
  return std::popcount(a.best) > std::popcount(b.best);
}

std::string StepText(const finding::Target& target, size_t index) {
  const finding::TargetStep& step = target.steps[index];
  std::string text = fmt::format("step {} ({}: {}", index + 1, step.thread,
                                 finding::WordOf(step.operation));
  if (!step.object.empty()) text += " " + step.object;
  if (!step.place.file.empty()) {
    text += fmt::format(", {}:{}", step.place.file, step.place.line);
  }
  return text + ")";
}

// What is known of a step that was not done.
std::string WhyNotStep(const abi::TargetProgress& progress, uint16_t bit) {
  if ((progress.other_value & bit) != 0) return "came only with other values";
  if ((progress.in_sight & bit) != 0) {
    return "came, but never behind what must be done before it";
  }
  if ((progress.other_object & bit) != 0) return "came only on other objects";
  if ((progress.other_context & bit) != 0) return "came only by other calls";
  if ((progress.other_thread & bit) != 0) {
    return "came only in threads that have another part";
  }
  return "never came: no thread stood before it in time";
}

}  // namespace

std::vector<std::string> WhyNot(const finding::Target& target,
                                const abi::TargetProgress& progress) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < target.steps.size(); ++i) {
    const auto bit = static_cast<uint16_t>(1u << i);
    if ((progress.best & bit) != 0) continue;
    lines.push_back(StepText(target, i) + " " + WhyNotStep(progress, bit));
  }
  if (progress.restarts != 0) {
    lines.push_back(fmt::format(
        "{} times the order or a window broke, since nobody else could go on",
        progress.restarts));
  }
  if (progress.too_far != 0) {
    lines.push_back(fmt::format(
        "{} times a thread went further than two steps may be apart",
        progress.too_far));
  }
  if (progress.given_up == abi::TargetGivenUp::kThrashing) {
    lines.push_back("given up: it went on breaking");
  }
  return lines;
}

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

// One target in the making.
class Forcer {
 public:
  Forcer(const finding::Target& target, Order order,
         const std::vector<int>& ok_exits, const Forcing& forcing)
      : approach_(target, FunctionsOf(target, order.program.path)),
        order_(std::move(order)),
        ok_exits_(ok_exits),
        forcing_(forcing),
        seed_(order_.plan.seed) {}

  Result<Forced> Run() {
    while (forced_.attempts + forced_.further < forcing_.attempts) {
      const Result<Went> went = Attempt(Prepare());
      if (!went) return went.error();
      if (*went != Went::kOn) break;
    }
    if (forced_.reached == Reached::kRealised) return std::move(forced_);
    if (forced_.progress.best != 0) forced_.reached = Reached::kPartly;
    forced_.why = WhyNot(approach_.target(), forced_.progress);
    return std::move(forced_);
  }

 private:
  enum class Went { kOn, kOver };

  // The target as the next attempt is to have it.
  Prepared Prepare() {
    if (realised_) return *realised_;
    const uint64_t plain = approach_.num_plain_attempts();
    if (forced_.attempts < plain) return approach_.AsItIs(forced_.attempts);
    std::optional<Prepared> prepared = approach_.Next();
    return prepared ? *std::move(prepared)
                    : approach_.AsItIs(forced_.attempts % plain);
  }

  Result<Went> Attempt(const Prepared& prepared) {
    const abi::TargetRecord record = RecordOf(prepared.target);
    const uint64_t number = forced_.attempts + forced_.further;
    const uint64_t base = prepared.anew ? 0 : number;
    if (Status planned = PlanAttempt(order_.plan, base, forcing_.base);
        !planned) {
      return planned.error();
    }
    order_.plan.flags |= PlanFlagsFor(record);
    order_.plan.seed = SeedOf(seed_, SeedFor::kTarget, number);
    order_.follow.target = {&record, 1};
    AttemptObserver observer;
    EventStream stream(observer);
    order_.observer = &stream;
    order_.plan.flags |= abi::kPlanTrace;
    const Result<Executed> executed = Execute(order_);
    if (!executed) return executed.error();
    ++(realised_ ? forced_.further : forced_.attempts);
    const abi::TargetProgress progress =
        OwnProgress(ProgressOf(*executed->memory), prepared.own);
    Namer namer(*executed->memory);
    approach_.Sighted(progress.in_sight);
    approach_.Learn(std::make_shared<SeenExecution>(
        observer.Finish(namer, progress.in_sight)));
    return Judged(*executed, namer, progress, prepared);
  }

  Went Judged(const Executed& executed, Namer& namer,
              const abi::TargetProgress& progress, const Prepared& prepared) {
    const Verdict verdict = Judge(executed, ok_exits_, namer);
    const bool realised = Realised(approach_.target(), progress, verdict);
    const bool failed = verdict.exit == ExitCode::kFindings;
    // What is kept of several that realised it: the first, or one that failed.
    if (!realised_ || (realised && failed)) {
      forced_.last = executed;
      if (forced_.attempts == 1 || realised ||
          IsFurther(progress, forced_.progress)) {
        forced_.progress = progress;
        forced_.verdict = verdict;
      }
      forced_.progress.in_sight = approach_.in_sight();
    }
    if (realised && !realised_) {
      forced_.reached = Reached::kRealised;
      realised_ = prepared;
      realised_->anew = false;
      if (prepared.own.size() != prepared.target.steps.size()) {
        forced_.prepared = prepared.target;
      }
    }
    const bool cannot =
        verdict.word == "interrupted" || verdict.word == "not-started";
    return (realised && failed) || cannot ? Went::kOver : Went::kOn;
  }

  Approach approach_;
  Order order_;
  const std::vector<int>& ok_exits_;
  const Forcing& forcing_;
  uint64_t seed_;
  std::optional<Prepared> realised_;  // as it was when it was realised
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
