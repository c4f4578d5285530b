#include "explore/plan/in_process_planner.h"

#include <algorithm>

namespace fairlead::explore {
namespace {

// A step costs some 50 ns: a tenth of a second.
constexpr uint64_t kBatchSteps = 2'000'000;
// Of closures without any steps.
constexpr uint64_t kMaxBatch = 64'000;

constexpr uint64_t kPlainEvery = 8;

bool CanBeBatch(const Planned& planned) {
  return planned.prefix.empty() && planned.target.empty() &&
         planned.watch.empty() && (planned.flags & abi::kPlanPoints) == 0 &&
         planned.number % kPlainEvery != 1;
}

}  // namespace

std::optional<Planned> InProcessPlanner::Next() {
  if (finished_) return {};
  std::optional<Planned> planned = inner_.Next();
  if (!planned || !possible_ || !CanBeBatch(*planned)) return planned;
  planned->iterations = batch_;
  planned->iterations_done = done_;
  // Schedules of a batch would be laid end to end.
  planned->flags &= ~uint64_t{abi::kPlanRecord};
  return planned;
}

void InProcessPlanner::Learn(const Planned& planned, const Observed& observed) {
  Observed one = observed;
  const bool batch = planned.iterations != 0;
  if (batch) {
    // What holds for a closure. Counts are of all of them together.
    one.steps = observed.explore_steps;
    one.counts = {};
    one.choices = {};
    done_ += planned.iterations;
    const uint64_t steps = observed.explored * observed.explore_steps;
    if (observed.end == Observed::End::kCut) {
      batch_ = std::max<uint64_t>(batch_ / 2, 1);
    } else if (steps < kBatchSteps && batch_ < kMaxBatch &&
               planned.iterations == batch_) {
      batch_ = std::min(batch_ * 4, kMaxBatch);
    }
    // Threads are left behind, or run already: one execution each, then.
    if (planned.iterations > 1 && observed.explored <= observed.explore_more) {
      possible_ = false;
    }
    if (observed.end == Observed::End::kOk && observed.explore_more == 0) {
      finished_ = true;
    }
  }
  const uint64_t before = inner_.num_behaviours();
  inner_.Learn(planned, one);
  const std::string name = FormatStrategySpec(DefaultSpec(planned.strategy.id));
  Share& share = shares_[name];
  share.strategy = name;
  share.executions += batch ? observed.explored : 1;
  share.earned += inner_.num_behaviours() - before;
}

std::vector<Planner::Share> InProcessPlanner::shares() const {
  std::vector<Share> shares;
  for (const auto& [name, share] : shares_) shares.push_back(share);
  return shares;
}

std::string InProcessPlanner::Remark() const {
  if (!finished_) return inner_.Remark();
  return "every fairlead::explore() has run its closure as often as it asks";
}

}  // namespace fairlead::explore
