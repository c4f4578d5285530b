#include "explore/judge/serial_references.h"

#include <algorithm>

#include "base/check.h"
#include "explore/judge/reference_watch.h"
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

void WatchReference(ReferenceNeeds needs, Watched& watched) {
  if (!needs.state && !needs.trace) return;
  watched.Add(ReferenceWatch::kId, std::make_unique<ReferenceWatch>(needs));
}

SerialReference ReferenceOf(const Finished& finished, const Watched& watched) {
  SerialReference reference = {.output = finished.output->Output()};
  if (const auto* watch = watched.Itself<ReferenceWatch>()) {
    reference.state = watch->state();
    reference.events = watch->events();
  }
  return reference;
}

uint64_t DrawsFor(uint64_t num_threads) {
  uint64_t orders = 1;
  for (uint64_t i = 2; i <= num_threads && orders < kMaxDraws; ++i) {
    orders *= i;
  }
  return std::min(kMaxDraws, kDrawsPerOrder * orders);
}

void SerialReferences::Keep(SerialOrder order, SerialReference reference) {
  outputs_.insert(reference.output);
  const auto [known, is_new] = known_.try_emplace(order);
  num_references_ += is_new || !known->second;
  known->second = std::move(reference);
}

const SerialReference& SerialReferences::AReference() const {
  const auto known = std::ranges::find_if(
      known_, [](const auto& each) { return each.second.has_value(); });
  FL_CHECK(known != known_.end(), "no reference");
  return *known->second;
}

bool SerialReferences::Know(SerialOrder order) {
  if (known_.contains(order)) return true;
  Result<std::optional<SerialReference>> reference = run_(order);
  if (!reference) return false;
  if (*reference) {
    Keep(order, **std::move(reference));
  } else {
    known_[order] = std::nullopt;
  }
  return true;
}

bool SerialReferences::Give(const Fits& fits, uint64_t num_threads) {
  const auto fit = [&](const auto& each) {
    return each.second && fits(*each.second);
  };
  if (std::ranges::any_of(known_, fit)) return true;
  const uint64_t draws = DrawsFor(num_threads);
  for (uint64_t number = 0; number < draws; ++number) {
    if (known_.contains(SerialOrder{number})) continue;
    if (!Know(SerialOrder{number})) return false;
    if (fit(*known_.find(SerialOrder{number}))) return true;
  }
  return false;
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
