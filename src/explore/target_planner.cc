#include "explore/target_planner.h"

#include <algorithm>

#include "explore/target_record.h"

namespace fairlead::explore {

TargetPlanner::TargetPlanner(std::vector<finding::Target> targets,
                             uint64_t seed)
    : seed_(seed) {
  if (targets.size() > kMaxTargets) targets.resize(kMaxTargets);
  for (finding::Target& target : targets) {
    targets_.push_back({.target = std::move(target)});
  }
}

std::optional<Planned> TargetPlanner::Next() {
  // Those with the fewest attempts first, in the order of their prediction.
  Entry* next = nullptr;
  for (Entry& entry : targets_) {
    if (entry.state != State::kOpen || entry.attempts == kAttempts) continue;
    if (next == nullptr || entry.attempts < next->attempts) next = &entry;
  }
  if (next == nullptr) return {};
  Planned planned;
  planned.number = number_++;
  planned.strategy = DefaultSpec(sched::StrategyId::kDirector);
  planned.strategy.params[0] = next->attempts;
  planned.seed = seed_ + next->attempts;
  planned.target.push_back(RecordOf(next->target));
  planned.arm = static_cast<uint64_t>(next - targets_.data());
  if (next->attempts++ == 0) ++num_tried_;
  next->state = State::kUnderWay;
  return planned;
}

void TargetPlanner::Learn(const Planned& planned, const Observed& observed) {
  // A deadlock keeps its last steps from happening.
  const bool realised =
      observed.end == Observed::End::kFailed || observed.target.success != 0;
  targets_[planned.arm].state = realised ? State::kRealised : State::kOpen;
  num_realised_ += realised;
}

bool TargetPlanner::exhausted() const {
  return std::ranges::all_of(targets_, [](const Entry& entry) {
    if (entry.state == State::kUnderWay) return false;
    return entry.state == State::kRealised || entry.attempts == kAttempts;
  });
}

}  // namespace fairlead::explore
