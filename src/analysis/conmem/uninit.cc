#include "analysis/conmem/uninit.h"

#include <algorithm>

#include "analysis/conmem/held.h"
#include "analysis/makers.h"

namespace fairlead::analysis {

using conmem::LoadFor;
using trace::Event;
using trace::EventKind;

namespace {

constexpr uint64_t kPointerBytes = 8;
constexpr uint64_t kFirstAddress = 0x10000;
constexpr size_t kMaxThreadsOfVariable = 16;

// 0 for a thread that has none.
uint64_t BitOf(Tid tid) {
  const size_t index = abi::Index(tid);
  return index < 64 ? uint64_t{1} << index : 0;
}

// Whether a value that is anything matters; not known counts as yes.
bool Matters(const Event& event, trace::ProgramTables* tables) {
  if (tables == nullptr) return true;
  const trace::SiteName& site = tables->SiteOf(event);
  if (site.kind == abi::SiteKind::kNone) return true;
  return (site.flags & (abi::kSiteFeedsAddress | abi::kSiteFeedsIndex |
                        abi::kSiteFeedsBranch | abi::kSiteFeedsCall)) != 0;
}

}  // namespace

void Uninit::OnAccess(const Event& event, order::Model& order,
                      PredictionSink& out) {
  derefs_.OnTouch(event, [&](const Early& early) { Report(early, out); });
  variables_.Touch(order.variables(), [&](uint64_t address, State& state) {
    if (Reads(order.kind())) OnRead(address, state, event, order, out);
    if (Writes(order.kind())) OnWrite(state, event, order);
  });
  told_.OnAccess(event, order);  // behind it: the read itself tells nothing
  before_.Done(event.tid, order);
}

void Uninit::OnOther(const Event& event, order::Model& order,
                     PredictionSink& out) {
  told_.OnOther(order);
  variables_.Forget(order.variables(), [](uint64_t, State&) {});
  before_.Done(event.tid, order);
  stacks_.OnOther(event);
  if (order::EndsMemory(event.kind)) {
    unset_.Forget(event.address, event.value);
    const bool zeroed = event.block && event.block->zeroed;
    if (event.kind == EventKind::kAlloc && !zeroed) {
      unset_.Add(event.address, event.value);
    }
  } else if (event.address != 0) {
    derefs_.OnTouch(event, [&](const Early& early) { Report(early, out); });
  }
}

void Uninit::OnWrite(State& state, const Event& event, order::Model& order) {
  const uint64_t bit = BitOf(event.tid);
  if ((state.wrote & bit) != 0) return;
  state.wrote |= bit;
  const auto own = [&](const Init& init) { return init.spot.tid == event.tid; };
  if (state.inits.size() >= kMaxThreadsOfVariable ||
      std::ranges::any_of(state.inits, own)) {
    return;
  }
  state.inits.push_back({order::SpotOf(event),
                         static_cast<uint32_t>(order.weak_epoch().number()),
                         conmem::FirstTakenSince(0, event.tid, order.locks()),
                         event.has(abi::kFlagLibrary)});
}

void Uninit::OnRead(uint64_t address, State& state, const Event& event,
                    order::Model& order, PredictionSink& out) {
  const uint64_t bit = BitOf(event.tid);
  if (state.inits.empty() || ((state.read | state.wrote) & bit) != 0) return;
  state.read |= bit;
  if (state.readers.size() >= kMaxThreadsOfVariable ||
      std::ranges::find(state.readers, event.tid) != state.readers.end()) {
    return;
  }
  if (bit == 0) state.readers.push_back(event.tid);
  const order::VectorClock& known = *before_.Of(event.tid, order);
  for (const Init& init : state.inits) {
    if (init.spot.tid == event.tid || known.Of(init.spot.tid) >= init.weak) {
      return;
    }
  }
  const Tid owner = stacks_.OwnerOf(address);
  if (order.IsBenign(address) || owner == event.tid) return;
  const bool unset = unset_.Has(address) || owner != Tid::kNone;
  Early early = {.read = order::SpotOf(event),
                 .init = state.inits.front(),
                 .address = address,
                 .zero = !unset};
  for (const Init& init : state.inits) {
    early.told |= init.library;
    early.told |= told_.Knows(event.tid, init.spot.tid, init.spot.seq + 1);
  }
  if (!early.zero) {
    early.matters = Matters(event, tables_);
    Report(early, out);
    return;
  }
  const uint64_t value = event.old_value.value_or(event.value);
  if (event.size != kPointerBytes || value < kFirstAddress) return;
  const LoadFor purpose = conmem::PurposeOf(event, tables_);
  if (purpose == LoadFor::kUse) Report(early, out);
  if (purpose == LoadFor::kPerhaps) derefs_.Await(event, value, early);
}

void Uninit::Report(const Early& early, PredictionSink& out) {
  if (!reported_.AddOrdered(early.read.key(), early.init.spot.key())) return;
  Prediction prediction = NewPrediction(
      name(), early.zero ? "null until it is set" : "read before it is set");
  const std::string object = AddObject(prediction, "x", early.address);
  const uint32_t first = AddStep(prediction, early.read, object);
  const uint32_t second = AddStep(prediction, early.init.spot, object);
  prediction.target.edges.push_back({.before = first, .after = second});
  prediction.holds[second] = conmem::HoldSpot(early.init.hold);
  prediction.likely = early.matters && !early.told;
  out.Report(std::move(prediction));
}

std::unique_ptr<Analysis> MakeUninit() { return std::make_unique<Uninit>(); }

}  // namespace fairlead::analysis
