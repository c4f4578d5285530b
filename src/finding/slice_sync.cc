#include "finding/slice_sync.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

#include "trace/access.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Tid;

// Of what wakes threads up, so many of the last.
constexpr size_t kLastWakes = 4;
constexpr size_t kTimeouts = 2;
constexpr size_t kSignals = 2;
// Of calls on descriptors that somebody took from or waits for, so many of
// those before.
constexpr size_t kLastUses = 4;
// Rows that tell of locks.
constexpr size_t kLockRows = 10;
// Larger numbers are addresses, not descriptors (runtime/outside/waiting.h).
constexpr uint64_t kMaxDescriptor = 1 << 16;

// What lets others go on.
bool Wakes(EventKind kind) {
  switch (kind) {
    case EventKind::kSignal:
    case EventKind::kBroadcast:
    case EventKind::kSemPost:
    case EventKind::kFutexWake:
    case EventKind::kBarrierWait:
    case EventKind::kWakeSignal:
    case EventKind::kWakePost:
    case EventKind::kWakeFutex:
      return true;
    default:
      return false;
  }
}

// What threads took of `object`, or began to wait for, and did not end.
void TakeOpen(uint64_t object, Chosen& chosen) {
  const std::vector<Event>& events = chosen.events();
  std::map<Tid, size_t> open;
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.address != object) continue;
    if (Takes(event) || event.kind == EventKind::kWait ||
        (event.kind == EventKind::kSemWait && event.has(abi::kFlagSuccess))) {
      open[event.tid] = i;
    } else if ((event.kind == EventKind::kUnlock && event.value == 0) ||
               event.kind == EventKind::kFileUnlock ||
               event.kind == EventKind::kSemPost ||
               event.kind == EventKind::kWaitDone) {
      open.erase(event.tid);
    }
  }
  for (const auto& [tid, index] : open) chosen.Take(index);
}

// Of threads that took something that was chosen: who cancelled them.
void TakeCancellations(Chosen& chosen) {
  const std::vector<Event>& events = chosen.events();
  std::set<Tid> takers;
  for (const size_t index : chosen.all()) {
    if (Takes(events[index])) takers.insert(events[index].tid);
  }
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const bool ends =
        event.kind == EventKind::kCanceled && takers.contains(event.tid);
    const bool asks = event.kind == EventKind::kCancel &&
                      event.value < abi::kMaxThreads &&
                      takers.contains(Tid{static_cast<uint16_t>(event.value)});
    if (ends || asks) chosen.Take(i);
  }
}

// Whether there were any.
template <typename Wanted>
bool TakeUsesBefore(size_t end, Wanted wanted, Chosen& chosen) {
  size_t room = kLastUses;
  for (size_t i = end; i-- > 0 && room > 0;) {
    if (chosen.events()[i].kind != EventKind::kUse ||
        chosen.index().ChannelOf(i) == 0 || !wanted(i)) {
      continue;
    }
    if (!chosen.Take(i)) break;
    --room;
  }
  return room != kLastUses;
}

void TakeGivers(Tid at_fault, Chosen& chosen) {
  const std::vector<Event>& events = chosen.events();
  const SliceIndex& index = chosen.index();
  size_t room = kLastUses;
  std::set<uint32_t> channels;
  for (size_t i = events.size(); i-- > 0 && room > 0;) {
    const Event& event = events[i];
    if (event.tid != at_fault || !event.has(abi::kFlagShared) ||
        event.kind != EventKind::kUse || index.ChannelOf(i) == 0) {
      continue;
    }
    --room;
    if (!channels.insert(index.ChannelOf(i)).second) continue;
    const auto gives = [&](size_t use) {
      return index.ChannelOf(use) == index.ChannelOf(i) &&
             events[use].tid != at_fault;
    };
    if (TakeUsesBefore(i, gives, chosen)) chosen.Take(i);
  }
}

// Whether something that a handler did is chosen. That of an abort has none.
bool HasStepIn(const SignalHandling& signal, const Chosen& chosen) {
  const Tid tid = chosen.events()[signal.arrives].tid;
  const std::set<size_t>& all = chosen.all();
  for (auto each = all.upper_bound(signal.arrives);
       each != all.end() && *each < signal.end; ++each) {
    if (chosen.events()[*each].tid == tid) return true;
  }
  return false;
}

// Who sent it, if a thread of the program did.
std::optional<size_t> SendingOf(const Event& arrival, const Chosen& chosen) {
  const std::vector<Event>& events = chosen.events();
  const auto at =
      std::ranges::lower_bound(events, arrival.seq, {}, &Event::seq);
  if (at == events.begin()) return {};
  const Event& wake = *std::prev(at);
  if (wake.kind != EventKind::kWakeKill || wake.tid != arrival.tid) return {};
  const auto sent =
      std::ranges::lower_bound(events, wake.value, {}, &Event::seq);
  if (sent == events.end() || sent->seq != wake.value ||
      sent->kind != EventKind::kSignalSent) {
    return {};
  }
  return static_cast<size_t>(sent - events.begin());
}

struct Section {
  size_t begin, end;
};

// Whether `chosen` has an access of `tid` in the section to one of `shared`.
bool HoldsAccess(const Section& section, Tid tid,
                 const std::set<uint64_t>& shared, const Chosen& chosen) {
  const std::set<size_t>& all = chosen.all();
  for (auto each = all.upper_bound(section.begin);
       each != all.end() && *each < section.end; ++each) {
    const Event& access = chosen.events()[*each];
    if (access.tid == tid && trace::IsAccess(access) &&
        shared.contains(access.address)) {
      return true;
    }
  }
  return false;
}

// Addresses that several threads touch in what was chosen.
std::set<uint64_t> SharedIn(const Chosen& chosen) {
  std::map<uint64_t, std::set<Tid>> touched;
  for (const size_t index : chosen.all()) {
    const Event& event = chosen.events()[index];
    if (trace::IsAccess(event)) touched[event.address].insert(event.tid);
  }
  std::set<uint64_t> shared;
  for (const auto& [address, tids] : touched) {
    if (tids.size() > 1) shared.insert(address);
  }
  return shared;
}

// By when they end.
std::vector<Section> SectionsAround(const Chosen& chosen) {
  const std::vector<Event>& events = chosen.events();
  const std::set<uint64_t> shared = SharedIn(chosen);
  std::map<uint64_t, std::set<Tid>> takers;
  std::map<std::pair<Tid, uint64_t>, size_t> open;
  std::vector<Section> sections;
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (Takes(event)) {
      takers[event.address].insert(event.tid);
      if (event.value <= 1) open[{event.tid, event.address}] = i;
    } else if (event.kind == EventKind::kUnlock && event.value == 0) {
      const auto taken = open.find({event.tid, event.address});
      if (taken == open.end()) continue;
      const Section section = {taken->second, i};
      if (HoldsAccess(section, event.tid, shared, chosen)) {
        sections.push_back(section);
      }
      open.erase(taken);
    }
  }
  std::erase_if(sections, [&](const Section& section) {
    return takers[events[section.begin].address].size() < 2;
  });
  return sections;
}

}  // namespace

void TakeStuck(const std::set<uint64_t>& waited_for, Chosen& chosen) {
  for (const uint64_t object : waited_for) TakeOpen(object, chosen);
  TakeCancellations(chosen);
  size_t room = kLastWakes;
  for (size_t i = chosen.events().size(); i-- > 0 && room > 0;) {
    const Event& event = chosen.events()[i];
    if (!Wakes(event.kind) || !waited_for.contains(event.address)) continue;
    if (!chosen.Take(i)) return;
    --room;
  }
}

void TakeTimeouts(Chosen& chosen) {
  size_t room = kTimeouts;
  for (size_t i = chosen.events().size(); i-- > 0 && room > 0;) {
    if (!chosen.events()[i].has(abi::kFlagTimedOut)) continue;
    chosen.Take(i);
    --room;
  }
}

void TakeSignals(Chosen& chosen) {
  const std::vector<SignalHandling>& signals = chosen.index().signals();
  size_t room = kSignals;
  for (size_t k = signals.size(); k-- > 0 && room > 0;) {
    const SignalHandling& signal = signals[k];
    if (!HasStepIn(signal, chosen)) continue;
    --room;
    const Event& arrival = chosen.events()[signal.arrives];
    if (!chosen.Take(signal.arrives)) return;
    // Where its thread goes on.
    if (signal.end < chosen.events().size()) chosen.Take(signal.end);
    if (const auto sent = SendingOf(arrival, chosen)) chosen.Take(*sent);
  }
}

void TakeTransfers(Tid at_fault, const std::set<uint64_t>& waited_for,
                   Chosen& chosen) {
  TakeGivers(at_fault, chosen);
  const std::vector<Event>& events = chosen.events();
  bool waits = false;
  for (const uint64_t object : waited_for) {
    if (object == 0 || object > kMaxDescriptor) continue;
    waits = true;
    const auto on_it = [&](size_t use) {
      return events[use].value == object - 1;
    };
    TakeUsesBefore(events.size(), on_it, chosen);
  }
  if (!waits) return;
  const auto gives = [&](size_t use) {
    return events[use].has(abi::kFlagWrites);
  };
  TakeUsesBefore(events.size(), gives, chosen);
}

void TakeLocks(Chosen& chosen) {
  const std::vector<Section> sections = SectionsAround(chosen);
  const size_t most = kLockRows / 2;
  const size_t first = sections.size() > most ? sections.size() - most : 0;
  for (size_t i = first; i < sections.size(); ++i) {
    if (chosen.room() < 2) return;
    chosen.Take(sections[i].begin);
    chosen.Take(sections[i].end);
  }
}

}  // namespace fairlead::finding
