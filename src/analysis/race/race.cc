#include "analysis/race/race.h"

#include <algorithm>

#include "analysis/makers.h"
#include "analysis/race/race_prediction.h"

namespace fairlead::analysis {

using order::VectorClock;
using trace::Event;

void Race::Entries::AddToMore(const Entry& entry, const VectorClock& clock) {
  const auto behind = [&](const Entry& each) {
    return entry.IsBehind(each, clock);
  };
  if (more != nullptr) {
    std::erase_if(*more, behind);
    if (more->empty()) more.reset();
  }
  if (behind(first)) {
    first = entry;
    return;
  }
  if (more == nullptr) more = std::make_unique<std::vector<Entry>>();
  more->push_back(entry);
}

void Race::OnAccess(const Event& event, order::Model& order,
                    PredictionSink& out) {
  const Now now = {{order.full_epoch(), order::SpotOf(event)},
                   order.full().ClockOf(event.tid),
                   order,
                   out};
  const bool writes = order::Writes(order.kind());
  const bool atomic = order::IsAtomic(event);
  variables_.Touch(order.variables(), [&](uint64_t address, State& state) {
    if (atomic) {
      OnAtomic(address, state, now, writes);
    } else if (writes) {
      OnPlainWrite(address, state, now);
    } else {
      OnPlainRead(address, state, now);
    }
  });
}

void Race::OnPlainRead(uint64_t address, State& state, const Now& now) {
  if (state.reads.first.epoch == now.entry.epoch) {  // same epoch
    state.reads.first.spot = now.entry.spot;
    return;
  }
  Check(address, state.write, now);
  if (state.atomics) Check(address, state.atomics->writes, now);
  state.reads.Add(now.entry, now.clock);
}

void Race::OnPlainWrite(uint64_t address, State& state, const Now& now) {
  Check(address, state.write, now);
  // Whatever races with these races with this write, too.
  state.write = now.entry;
  if (state.reads.first.epoch.known()) {
    Check(address, state.reads, now);
    state.reads.first.epoch = {};
    state.reads.more.reset();
  }
  if (state.atomics == nullptr) return;
  Check(address, state.atomics->reads, now);
  Check(address, state.atomics->writes, now);
  state.atomics.reset();
}

void Race::OnAtomic(uint64_t address, State& state, const Now& now,
                    bool writes) {
  Check(address, state.write, now);
  if (writes) Check(address, state.reads, now);
  if (state.atomics == nullptr) state.atomics = std::make_unique<Atomics>();
  (writes ? state.atomics->writes : state.atomics->reads)
      .Add(now.entry, now.clock);
}

void Race::OnOther(const Event& event, order::Model& order,
                   PredictionSink& out) {
  if (!order::EndsMemory(event.kind)) return;
  const Now now = {{order.full_epoch(), order::SpotOf(event)},
                   order.full().ClockOf(event.tid),
                   order,
                   out};
  const bool frees = IsFree(event.kind);
  variables_.Forget(order.variables(), [&](uint64_t address, State& state) {
    if (!frees) return;
    Check(address, state.write, now);
    Check(address, state.reads, now);
    if (state.atomics) {
      Check(address, state.atomics->reads, now);
      Check(address, state.atomics->writes, now);
    }
  });
}

void Race::Check(uint64_t address, const Entries& earlier, const Now& now) {
  Check(address, earlier.first, now);
  if (earlier.more == nullptr) return;
  for (const Entry& entry : *earlier.more) Check(address, entry, now);
}

void Race::Report(uint64_t address, const Entry& earlier, const Now& now) {
  if (now.order.IsBenign(address) ||
      !reported_.Add(earlier.spot.key(), now.entry.spot.key())) {
    return;
  }
  Prediction prediction =
      RaceBetween(name(), address, earlier.spot, now.entry.spot);
  prediction.seen = true;
  now.out.Report(std::move(prediction));
}

std::unique_ptr<Analysis> MakeRace() { return std::make_unique<Race>(); }

}  // namespace fairlead::analysis
