#include "explore/force.h"

#include <fmt/core.h>

#include <bit>

#include "explore/target_record.h"
#include "sched/plan.h"

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

}  // namespace

std::vector<std::string> WhyNot(const finding::Target& target,
                                const abi::TargetProgress& progress) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < target.steps.size(); ++i) {
    const auto bit = static_cast<uint16_t>(1u << i);
    if ((progress.best & bit) != 0) continue;
    if ((progress.in_sight & bit) == 0) {
      lines.push_back(StepText(target, i) +
                      " never came: no thread stood before it in time");
    } else {
      lines.push_back(StepText(target, i) +
                      " came, but never behind what must be done before it");
    }
  }
  if (progress.restarts != 0) {
    lines.push_back(fmt::format(
        "{} times the order or a window broke, since nobody else could go on",
        progress.restarts));
  }
  return lines;
}

Result<Forced> ForceTarget(const finding::Target& target, Order order,
                           const std::vector<int>& ok_exits,
                           uint64_t attempts) {
  const abi::TargetRecord record = RecordOf(target);
  order.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kDirector);
  order.follow.target = {&record, 1};
  const uint64_t seed = order.plan.seed;
  Forced forced;
  while (forced.attempts < attempts) {
    order.plan.params[0] = forced.attempts;
    order.plan.seed = seed + forced.attempts;
    const Result<Executed> executed = Execute(order);
    if (!executed) return executed.error();
    ++forced.attempts;
    const abi::TargetProgress progress = ProgressOf(*executed->memory);
    Namer namer(*executed->memory);
    const Verdict verdict = Judge(*executed, ok_exits, namer);
    forced.last = *executed;
    const bool realised = Realised(target, progress, verdict);
    if (forced.attempts == 1 || realised ||
        IsFurther(progress, forced.progress)) {
      forced.progress = progress;
      forced.verdict = verdict;
    }
    if (realised) {
      forced.reached = Reached::kRealised;
      return forced;
    }
    if (verdict.word == "interrupted" || verdict.word == "not-started") break;
  }
  if (forced.progress.best != 0) forced.reached = Reached::kPartly;
  forced.why = WhyNot(target, forced.progress);
  return forced;
}

}  // namespace fairlead::explore
