// order/access.h
//
// What an event does to memory, in the words that analyses share: which bytes,
// reading or writing, atomic or not. One place, so that a failed
// compare-and-swap is a read everywhere.

#ifndef FAIRLEAD_ORDER_ACCESS_H_
#define FAIRLEAD_ORDER_ACCESS_H_

#include <array>
#include <cstdint>

#include "abi/site.h"
#include "trace/event.h"

namespace fairlead::order {

using trace::Event;
using trace::EventKind;
using trace::Tid;

enum class AccessKind : uint8_t { kNone, kRead, kWrite, kUpdate };

// kUpdate reads and writes in one step. Fences and all that is no access:
// kNone.
inline AccessKind AccessOf(const Event& event) {
  // Asked several times for every event, so without a jump.
  constexpr auto kKinds = [] {
    std::array<AccessKind, 8> kinds = {};
    const auto set = [&](EventKind kind, AccessKind access) {
      kinds[static_cast<size_t>(kind)] = access;
    };
    set(EventKind::kRead, AccessKind::kRead);
    set(EventKind::kAtomicLoad, AccessKind::kRead);
    set(EventKind::kWrite, AccessKind::kWrite);
    set(EventKind::kAtomicStore, AccessKind::kWrite);
    set(EventKind::kRmw, AccessKind::kUpdate);
    set(EventKind::kCas, AccessKind::kUpdate);
    return kinds;
  }();
  const auto index = static_cast<size_t>(event.kind);
  if (index >= kKinds.size()) return AccessKind::kNone;
  if (event.kind == EventKind::kCas && !event.has(abi::kFlagSuccess)) {
    return AccessKind::kRead;
  }
  return kKinds[index];
}

inline bool Writes(AccessKind kind) { return kind >= AccessKind::kWrite; }
inline bool Reads(AccessKind kind) {
  return kind == AccessKind::kRead || kind == AccessKind::kUpdate;
}

// Atomic accesses do not race with each other, whatever their order.
inline bool IsAtomic(const Event& event) {
  return event.kind >= EventKind::kAtomicLoad && event.kind <= EventKind::kCas;
}

inline bool Acquires(abi::MemoryOrder order) {
  switch (order) {
    case abi::MemoryOrder::kConsume:
    case abi::MemoryOrder::kAcquire:
    case abi::MemoryOrder::kAcqRel:
    case abi::MemoryOrder::kSeqCst:
      return true;
    default:
      return false;
  }
}

inline bool Releases(abi::MemoryOrder order) {
  switch (order) {
    case abi::MemoryOrder::kRelease:
    case abi::MemoryOrder::kAcqRel:
    case abi::MemoryOrder::kSeqCst:
      return true;
    default:
      return false;
  }
}

// Whether the bytes that a memory event names are new, or gone: nothing known
// of them holds any longer.
inline bool EndsMemory(EventKind kind) {
  switch (kind) {
    case EventKind::kAlloc:
    case EventKind::kFree:
    case EventKind::kRealloc:
    case EventKind::kMap:
    case EventKind::kUnmap:
    case EventKind::kStack:
    case EventKind::kTls:
      return true;
    default:
      return false;
  }
}

// A place in the code as events name it: the index of a site or a caller. Two
// events have the same key iff they come from the same place.
inline uint64_t SiteKey(const Event& event) {
  return static_cast<uint64_t>(event.site) << 1 |
         (event.instrumented() ? 1 : 0);
}

// An event as analyses remember it: who, what and where, without the rest.
struct Spot {
  uint64_t seq = 0;
  uint32_t site = 0;  // as in the event
  uint32_t node = 0;
  Tid tid = Tid::kNone;
  EventKind kind = EventKind::kMark;
  bool instrumented = false;
  bool operator==(const Spot&) const = default;

  // Equal for events of one place in the code that do the same.
  uint64_t key() const {
    return static_cast<uint64_t>(kind) << 33 |
           static_cast<uint64_t>(site) << 1 | (instrumented ? 1 : 0);
  }
};
inline Spot SpotOf(const Event& event) {
  return {event.seq, event.site, event.node,
          event.tid, event.kind, event.instrumented()};
}

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_ACCESS_H_
