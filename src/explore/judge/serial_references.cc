#include "explore/judge/serial_references.h"

#include <algorithm>

#include "explore/run/seeds.h"

namespace fairlead::explore {
namespace {

// Of all orders, with this many draws of each on average, but no more in all:
// a minute or so of executions.
constexpr uint64_t kDrawsPerOrder = 6;
constexpr uint64_t kMaxDraws = 2000;

}  // namespace

SerialPlan PlanOf(SerialOrder order, uint64_t campaign_seed) {
  if (order == SerialOrder::kOldestFirst) {
    return {.strategy = DefaultSpec(sched::StrategyId::kFirst),
            .seed = SeedOf(campaign_seed, SeedFor::kReference, 0)};
  }
  // Without change points `pct` runs threads one after the other.
  SerialPlan plan = {.strategy = DefaultSpec(sched::StrategyId::kPct)};
  plan.strategy.params[0] = 0;
  plan.seed =
      SeedOf(campaign_seed, SeedFor::kReference, static_cast<uint64_t>(order));
  return plan;
}

SerialReference ReferenceOf(const Finished& finished) {
  return {.output = finished.output->Output()};
}

uint64_t DrawsFor(uint64_t num_threads) {
  uint64_t orders = 1;
  for (uint64_t i = 2; i <= num_threads && orders < kMaxDraws; ++i) {
    orders *= i;
  }
  return std::min(kMaxDraws, kDrawsPerOrder * orders);
}

void SerialReferences::Keep(SerialOrder order, SerialReference reference) {
  known_[order] = &*outputs_.insert(std::move(reference.output)).first;
}

bool SerialReferences::Know(SerialOrder order) {
  if (known_.contains(order)) return true;
  Result<std::optional<SerialReference>> reference = run_(order);
  if (!reference) return false;
  if (*reference) {
    Keep(order, **std::move(reference));
  } else {
    known_[order] = nullptr;
  }
  return true;
}

bool SerialReferences::GiveOutput(const std::string& output,
                                  uint64_t num_threads) {
  const uint64_t draws = DrawsFor(num_threads);
  for (uint64_t number = 0; number < draws; ++number) {
    if (outputs_.contains(output)) return true;
    if (!Know(SerialOrder{number})) return false;
  }
  return outputs_.contains(output);
}

}  // namespace fairlead::explore
