#include "analysis/race/hybrid.h"

#include "analysis/makers.h"
#include "analysis/race/race_prediction.h"

namespace fairlead::analysis {

using order::AccessKind;
using order::History;
using order::Spot;
using order::TypeId;
using order::Writes;
using trace::Event;

namespace {

Spot HoldSpot(uint64_t site_key) {
  Spot spot;
  spot.site = static_cast<uint32_t>(site_key >> 1);
  spot.instrumented = (site_key & 1) != 0;
  return spot;
}

}  // namespace

void Hybrid::OnAccess(const Event& event, order::Model& order,
                      PredictionSink& out) {
  const auto segment = static_cast<uint32_t>(order.weak_epoch().number());
  for (const order::Entered& entered : order.Enter(event)) {
    // Within one segment, what came since has been compared with this already.
    if (!entered.fresh &&
        (entered.before.weak == segment ||
         (*entered.history)[entered.index].partners.empty())) {
      continue;
    }
    OnNews(entered, {order.TypeOf(event, order.kind()), event.seq,
                     entered.address, order, out});
  }
}

void Hybrid::OnNews(const order::Entered& entered, const Now& now) {
  History& history = *entered.history;
  if (!entered.fresh) {
    history[entered.index].partners.ForEach(
        [&](size_t other) { Compare(history, other, now); });
    return;
  }
  for (size_t other = 0; other < history.size(); ++other) {
    if (!MayMeet(static_cast<TypeId>(history.type(other)), now.type,
                 now.order)) {
      continue;
    }
    history[entered.index].partners.Add(other);
    history[other].partners.Add(entered.index);
    Compare(history, other, now);
  }
}

// A free is a write to all of it.
void Hybrid::OnOther(const Event& event, order::Model& order,
                     PredictionSink& out) {
  if (!IsFree(event.kind)) return;
  Now now = {order.TypeOf(event, AccessKind::kWrite), event.seq, 0, order, out};
  for (const auto& touched : order.variables().touched()) {
    const History& history = order.HistoryOf(touched.number);
    now.address = touched.address;
    for (size_t other = 0; other < history.size(); ++other) {
      if (MayMeet(static_cast<TypeId>(history.type(other)), now.type, order)) {
        Compare(history, other, now);
      }
    }
  }
}

bool Hybrid::MayMeet(TypeId one, TypeId other, order::Model& order) {
  const order::AccessType& a = order.types()[one];
  const order::AccessType& b = order.types()[other];
  return a.spot.tid != b.spot.tid && (Writes(a.kind) || Writes(b.kind)) &&
         !(a.atomic && b.atomic) && !order.locks().Exclude(a.locks, b.locks);
}

void Hybrid::Compare(const History& history, size_t index, const Now& now) {
  const Tid now_tid = order::TidOf(static_cast<uint32_t>(now.type));
  const Tid other = order::TidOf(history.type(index));
  if (now.order.weak().ClockOf(now_tid).Of(other) <
      history[index].stamps.weak) {
    Report(history, index, now);
  }
}

void Hybrid::Report(const History& history, size_t index, const Now& now) {
  const order::AccessTypes& types = now.order.types();
  const auto type = static_cast<TypeId>(history.type(index));
  const Spot earlier = types.SpotAt(type, history[index].stamps.seq);
  const Spot later = types.SpotAt(now.type, now.seq);
  if (now.order.IsBenign(now.address) ||
      !reported_.Add(earlier.key(), later.key())) {
    return;
  }
  Prediction prediction = RaceBetween(name(), now.address, earlier, later);
  prediction.holds[0] = HoldSpot(types[now.type].hold);
  prediction.holds[1] = HoldSpot(types[type].hold);
  now.out.Report(std::move(prediction));
}

std::unique_ptr<Analysis> MakeHybrid() { return std::make_unique<Hybrid>(); }

}  // namespace fairlead::analysis
