// guard/shadow.h
//
// What is remembered of the program's memory, by its address: exact (nothing
// aliases), in tables that are made as memory is touched.
//
//   address  46      30 29     12 11    3 2 0
//            | root   | middle  | granule | byte
//
// A granule is eight bytes. As long as all who touch it touch the same of its
// bytes, it has one cell; from then on a cell for each byte. Whoever holds a
// granule has it to himself; everybody else waits.
//
// `set` is the learner's (guard/learn.h).
//
// Tier: in-program. Threads: any; async-signal-safe.

#ifndef FAIRLEAD_GUARD_SHADOW_H_
#define FAIRLEAD_GUARD_SHADOW_H_

#include <stddef.h>
#include <stdint.h>

#include "guard/cell.h"

namespace fairlead::guard {

struct Granule {
  uint64_t word;   // the cell; only `kCellHeld` means anything once it is split
  uint32_t shape;  // bits 0..7: bytes that were touched; above: split block
  uint32_t set;
};
static_assert(sizeof(Granule) == 16);

inline constexpr uint32_t kGranuleBytes = 8;

// The bytes of a granule that an access touches, as a mask.
constexpr uint32_t MaskOf(uint32_t first, uint32_t bytes) {
  return ((1u << bytes) - 1) << first & 0xff;
}

// The granule of `address`, made if need be; null when there is no room (the
// limit is in `limit_shadow`) or the address is none of a program.
Granule* GranuleAt(uint64_t address);
// The same if it is there already.
Granule* FindGranule(uint64_t address);

// Pages of 8 KB that may be used, each for 4 KB of the program.
void LimitShadow(uint64_t pages);

// Waits until nobody holds it, but not for ever: who holds it may be stopped,
// or below us on this very stack (a signal handler), or gone. False: it is not
// held, and free for the next one.
//
// Racy by design: a holder that was only stopped then has company until its
// access is over; it may be recorded in the wrong order.
bool Hold(Granule& granule);
inline void Release(Granule& granule) {
  __atomic_store_n(&granule.word, granule.word & ~kCellHeld, __ATOMIC_RELEASE);
}

// The different remote predecessors of an access, at most one for each byte.
struct Predecessors {
  uint32_t places[kGranuleBytes];
  uint32_t count;
};

// Of a granule that is held: the predecessors of an access of `thread`.
Predecessors Look(const Granule& granule, uint32_t mask, uint32_t thread);
// And records that access.
void Record(Granule& granule, uint32_t mask, uint32_t thread, uint32_t site);

// Forgets what is known of a range: the memory is new from now on.
void Forget(uint64_t address, uint64_t bytes);

// Calls `visit(granule, mask)` for the granules of the range that something is
// known of.
template <typename Visit>
void ForEachKnown(uint64_t address, uint64_t bytes, Visit visit) {
  const uint64_t end = address + bytes;
  for (uint64_t at = address & ~uint64_t{7}; at < end; at += kGranuleBytes) {
    Granule* granule = FindGranule(at);
    if (granule == nullptr) {
      at = (at | 0xfff) - 7;  // the next page
      continue;
    }
    if (granule->shape == 0) continue;
    const uint64_t first = at < address ? address - at : 0;
    const uint64_t last = end - at < 8 ? end - at : 8;
    visit(*granule, MaskOf(static_cast<uint32_t>(first),
                           static_cast<uint32_t>(last - first)));
  }
}

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_SHADOW_H_
