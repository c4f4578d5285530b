// abi/access_event.h
//
// What the event of an access always says, whoever writes it: the runtime, or
// the program itself (abi/hooks.h).
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_ACCESS_EVENT_H_
#define FAIRLEAD_ABI_ACCESS_EVENT_H_

#include <stdint.h>

#include "abi/event.h"
#include "abi/site.h"

namespace fairlead::abi {

constexpr EventKind EventOf(SiteKind kind) {
  switch (kind) {
    case SiteKind::kAtomicLoad:
      return EventKind::kAtomicLoad;
    case SiteKind::kAtomicStore:
      return EventKind::kAtomicStore;
    case SiteKind::kRmw:
      return EventKind::kRmw;
    case SiteKind::kCas:
      return EventKind::kCas;
    case SiteKind::kFence:
      return EventKind::kFence;
    case SiteKind::kStore:
    case SiteKind::kRangeWrite:
    case SiteKind::kObjectWrite:
    case SiteKind::kAsm:
      return EventKind::kWrite;
    default:
      return EventKind::kRead;
  }
}

// Calls that the library serialises itself: atomic, and no order for others.
constexpr EventKind EventOf(SiteKind kind, MemoryOrder order) {
  if (order == MemoryOrder::kRelaxed) {
    if (kind == SiteKind::kRangeRead) return EventKind::kAtomicLoad;
    if (kind == SiteKind::kRangeWrite) return EventKind::kAtomicStore;
  }
  return EventOf(kind);
}

constexpr bool Writes(SiteKind kind) {
  constexpr bool kWrites[] = {
#define FL_SITE_KIND(name, word, number, reads, writes) writes,
#include "abi/sites.inc"
#undef FL_SITE_KIND
  };
  return kWrites[static_cast<uint32_t>(kind)];
}

// Event::flags, but for what is known only when it happens. `site_flags` are
// bits of SiteFlag.
constexpr uint16_t EventFlags(SiteKind kind, MemoryOrder order,
                              uint32_t site_flags) {
  uint32_t flags = kFlagInstrumented;
  flags |= static_cast<uint32_t>(order) & kFlagOrderMask;
  if ((site_flags & kSiteLibrary) != 0) flags |= kFlagLibrary;
  if ((site_flags & kSiteVolatile) != 0) flags |= kFlagVolatile;
  if (Writes(kind)) flags |= kFlagWrites;
  return static_cast<uint16_t>(flags);
}

// The first eight bytes of an Event without thread and instructions.
constexpr uint64_t EventHeader(uint16_t flags, EventKind kind, uint8_t size) {
  return uint64_t{flags} << 16 | uint64_t{static_cast<uint8_t>(kind)} << 32 |
         uint64_t{size} << 40;
}

// SiteRecord::told: the four bytes of an Event behind its thread.
constexpr uint32_t ToldBy(SiteKind kind, MemoryOrder order, uint32_t site_flags,
                          uint64_t size) {
  const auto bytes =
      static_cast<uint8_t>(size < kSizeExtended ? size : kSizeExtended);
  return static_cast<uint32_t>(EventHeader(EventFlags(kind, order, site_flags),
                                           EventOf(kind, order), bytes) >>
                               16);
}
static_assert(offsetof(Event, flags) == 2 && offsetof(Event, kind) == 4 &&
              offsetof(Event, size) == 5 && offsetof(Event, instructions) == 6);

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_ACCESS_EVENT_H_
