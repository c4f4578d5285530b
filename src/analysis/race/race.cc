#include "analysis/race/race.h"

#include <algorithm>

#include "analysis/race/race_prediction.h"

namespace fairlead::analysis {

using order::AccessKind;
using order::VectorClock;
using trace::Event;
using trace::EventKind;

void Race::Entries::Add(const Entry& entry, const VectorClock& clock) {
  const auto behind = [&](const Entry& each) {
    return each.epoch.tid() == entry.epoch.tid() || clock.Covers(each.epoch);
  };
  if (more != nullptr) {
    std::erase_if(*more, behind);
    if (more->empty()) more.reset();
  }
  if (!first.epoch.known() || behind(first)) {
    first = entry;
    return;
  }
  if (more == nullptr) more = std::make_unique<std::vector<Entry>>();
  more->push_back(entry);
}

void Race::OnEvent(const Event& event, order::Model& order,
                   PredictionSink& out) {
  const Now now = {{order.full_epoch(), order::SpotOf(event)},
                   order.full().ClockOf(event.tid),
                   order,
                   out};
  if (order::AccessOf(event) != AccessKind::kNone) {
    OnAccess(event, now);
    return;
  }
  if (order::EndsMemory(event.kind)) OnMemory(event, now);
}

void Race::OnAccess(const Event& event, const Now& now) {
  const bool writes = order::Writes(order::AccessOf(event));
  const bool atomic = order::IsAtomic(event);
  variables_.Touch(now.order.variables(), [&](uint64_t address, State& state) {
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
  if (state.write.epoch == now.entry.epoch &&
      !state.reads.first.epoch.known() && state.atomics == nullptr) {
    state.write.spot = now.entry.spot;
    return;
  }
  Check(address, state.write, now);
  Check(address, state.reads, now);
  if (state.atomics) {
    Check(address, state.atomics->reads, now);
    Check(address, state.atomics->writes, now);
  }
  // Whatever races with these races with this write, too.
  state.write = now.entry;
  state.reads = {};
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

void Race::OnMemory(const Event& event, const Now& now) {
  const bool frees = IsFree(event.kind);
  variables_.Forget(now.order.variables(), [&](uint64_t address, State& state) {
    if (!frees) return;
    Check(address, state.write, now);
    Check(address, state.reads, now);
    if (state.atomics) {
      Check(address, state.atomics->reads, now);
      Check(address, state.atomics->writes, now);
    }
  });
}

void Race::Check(uint64_t address, const Entry& earlier, const Now& now) {
  if (now.clock.Covers(earlier.epoch) ||
      earlier.epoch.tid() == now.entry.epoch.tid()) {
    return;
  }
  Report(address, earlier, now);
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

}  // namespace fairlead::analysis
