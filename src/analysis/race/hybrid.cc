#include "analysis/race/hybrid.h"

#include <algorithm>

#include "analysis/race/race_prediction.h"

namespace fairlead::analysis {

using order::AccessKind;
using order::Spot;
using trace::Event;
using trace::EventKind;

namespace {

Spot HoldSpot(uint64_t site_key) {
  Spot spot;
  spot.site = static_cast<uint32_t>(site_key >> 1);
  spot.instrumented = (site_key & 1) != 0;
  return spot;
}

}  // namespace

void Hybrid::OnEvent(const Event& event, order::Model& order,
                     PredictionSink& out) {
  const AccessKind kind = order::AccessOf(event);
  const bool frees = IsFree(event.kind);
  if (kind == AccessKind::kNone && !frees) {
    if (order::EndsMemory(event.kind)) {
      variables_.Forget(event.address, event.value, [](uint64_t, State&) {});
    } else if (event.kind == EventKind::kBenign) {
      variables_.Touch(event.address, event.value,
                       [](uint64_t, State& state) { state.benign = true; });
    }
    return;
  }
  const auto held = order.locks().HeldBy(event.tid);
  const Entry now = {
      order::SpotOf(event),           order.weak_epoch(),
      order.locks().SetOf(event.tid), frees || order::Writes(kind),
      order::IsAtomic(event),         held.empty() ? 0 : held.front().site};
  const auto visit = [&](uint64_t address, State& state) {
    OnAccess(address, state, now, order, out);
  };
  if (frees) {
    variables_.Forget(event.address, event.value, visit);
  } else {
    variables_.Touch(event.address, event.size, visit);
  }
}

void Hybrid::OnAccess(uint64_t address, State& state, const Entry& now,
                      order::Model& order, PredictionSink& out) {
  std::vector<Entry>& entries = state.entries;
  const uint64_t key = now.spot.key();
  Entry* same = nullptr;
  for (Entry& entry : entries) {
    if (entry.spot.tid != now.spot.tid || entry.spot.key() != key ||
        entry.locks != now.locks) {
      continue;
    }
    // Within one segment, what came since has been compared with this already.
    if (entry.epoch == now.epoch) return;
    same = &entry;
    break;
  }
  if (!state.benign) {
    for (const Entry& entry : entries) {
      if (MayMeet(entry, now, order)) Report(address, entry, now, out);
    }
  }
  if (same != nullptr) {
    *same = now;
    return;
  }
  if (entries.size() == kMaxEntries) {
    entries.erase(std::ranges::min_element(
        entries, {}, [](const Entry& each) { return each.spot.seq; }));
  }
  entries.push_back(now);
}

bool Hybrid::MayMeet(const Entry& earlier, const Entry& now,
                     order::Model& order) {
  if (earlier.spot.tid == now.spot.tid) return false;
  if (!earlier.writes && !now.writes) return false;
  if (earlier.atomic && now.atomic) return false;
  return !order.weak().ClockOf(now.spot.tid).Covers(earlier.epoch) &&
         !order.locks().Exclude(earlier.locks, now.locks);
}

void Hybrid::Report(uint64_t address, const Entry& earlier, const Entry& now,
                    PredictionSink& out) {
  if (!reported_.Add(earlier.spot.key(), now.spot.key())) return;
  Prediction prediction = RaceBetween(name(), address, earlier.spot, now.spot);
  prediction.holds[0] = HoldSpot(now.hold);
  prediction.holds[1] = HoldSpot(earlier.hold);
  out.Report(std::move(prediction));
}

}  // namespace fairlead::analysis
