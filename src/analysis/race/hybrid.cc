#include "analysis/race/hybrid.h"

#include "analysis/race/race_prediction.h"

namespace fairlead::analysis {

using order::AccessKind;
using order::History;
using order::Spot;
using order::TypeId;
using order::Writes;
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
    variables_.Forget(order.variables(), [](uint64_t, State&) {});
    return;
  }
  const AccessKind counts = frees ? AccessKind::kWrite : kind;
  const Now now = {order.TypeOf(event, counts), order.stamps(event.seq), order,
                   out};
  const auto visit = [&](uint64_t address, State& state) {
    OnAccess(address, state, now);
  };
  if (frees) {
    variables_.Forget(order.variables(), visit);
  } else {
    variables_.Touch(order.variables(), visit);
  }
}

void Hybrid::OnAccess(uint64_t address, State& state, const Now& now) {
  const auto type = static_cast<uint32_t>(now.type);
  History& history = state.history;
  const size_t known = history.Find(type);
  if (known != History::kNone) {
    order::Stamps& stamps = history.stamps(known);
    // Within one segment, what came since has been compared with this already.
    if (stamps.weak == now.stamps.weak) return;
    history.ForEachPartner(
        known, [&](size_t other) { Compare(address, state, other, now); });
    stamps = now.stamps;
    return;
  }
  if (history.full()) history.RemovePartner(history.DropOldest());
  const size_t index = history.Add(type, now.stamps);
  for (size_t other = 0; other < index; ++other) {
    const auto earlier = static_cast<TypeId>(history.type(other));
    if (!MayMeet(earlier, now.type, now.order)) continue;
    history.SetPartner(index, other);
    history.SetPartner(other, index);
    Compare(address, state, other, now);
  }
}

bool Hybrid::MayMeet(TypeId one, TypeId other, order::Model& order) {
  const order::AccessType& a = order.types()[one];
  const order::AccessType& b = order.types()[other];
  return a.spot.tid != b.spot.tid && (Writes(a.kind) || Writes(b.kind)) &&
         !(a.atomic && b.atomic) && !order.locks().Exclude(a.locks, b.locks);
}

void Hybrid::Compare(uint64_t address, const State& state, size_t index,
                     const Now& now) {
  const Tid now_tid = order::TidOf(static_cast<uint32_t>(now.type));
  const Tid other = order::TidOf(state.history.type(index));
  if (now.order.weak().ClockOf(now_tid).Of(other) <
      state.history.stamps(index).weak) {
    Report(address, state, index, now);
  }
}

void Hybrid::Report(uint64_t address, const State& state, size_t index,
                    const Now& now) {
  const order::AccessTypes& types = now.order.types();
  const auto type = static_cast<TypeId>(state.history.type(index));
  const Spot earlier = types.SpotAt(type, state.history.stamps(index).seq);
  const Spot later = types.SpotAt(now.type, now.stamps.seq);
  if (now.order.IsBenign(address) ||
      !reported_.Add(earlier.key(), later.key())) {
    return;
  }
  Prediction prediction = RaceBetween(name(), address, earlier, later);
  prediction.holds[0] = HoldSpot(types[now.type].hold);
  prediction.holds[1] = HoldSpot(types[type].hold);
  now.out.Report(std::move(prediction));
}

}  // namespace fairlead::analysis
