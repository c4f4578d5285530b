// guard/cell.h
//
// What is remembered of a location: its last access, and the last one by
// another thread than that (the recorder of Zhang et al., "A Lightweight System
// for Detecting and Tolerating Concurrency Bugs", TSE 2016, Algorithm 1). It is
// one word, so that it can be looked at, judged and changed in one step.
//
//   bits  0..19  place of the last access (abi/guard_rules.h); 0 = none
//        20..39  its thread, from 1
//        40..59  place of the last access by another thread; 0 = nil
//        60      held: somebody judges, and makes his access
//
// Tier: in-program; freestanding.

#ifndef FAIRLEAD_GUARD_CELL_H_
#define FAIRLEAD_GUARD_CELL_H_

#include <stdint.h>

#include "abi/guard_rules.h"

namespace fairlead::guard {

using Cell = uint64_t;

inline constexpr uint64_t kCellPart = (uint64_t{1} << 20) - 1;
inline constexpr uint64_t kCellHeld = uint64_t{1} << 60;
inline constexpr uint32_t kMostThreads = kCellPart;

constexpr uint32_t LastPlace(Cell cell) {
  return static_cast<uint32_t>(cell & kCellPart);
}
constexpr uint32_t LastThread(Cell cell) {
  return static_cast<uint32_t>(cell >> 20 & kCellPart);
}
constexpr uint32_t OtherPlace(Cell cell) {
  return static_cast<uint32_t>(cell >> 40 & kCellPart);
}

// The place of the last access by another thread than `thread`; 0 = nil.
constexpr uint32_t RemotePredecessor(Cell cell, uint32_t thread) {
  return LastThread(cell) == thread ? OtherPlace(cell) : LastPlace(cell);
}

// The place of an access of `thread` at `site` that is made now.
constexpr uint32_t PlaceNow(Cell cell, uint32_t thread, uint32_t site) {
  using History = abi::GuardHistory;
  if (LastThread(cell) != thread) {
    return abi::GuardPlace(site, History::kFirst);
  }
  const bool again = abi::SiteOfGuardPlace(LastPlace(cell)) == site;
  return abi::GuardPlace(site, again ? History::kAgain : History::kNext);
}

// The cell behind that access.
constexpr Cell Recorded(Cell cell, uint32_t thread, uint32_t site) {
  const uint64_t other = LastThread(cell) == 0 ? 0
                         : LastThread(cell) == thread
                             ? uint64_t{OtherPlace(cell)}
                             : uint64_t{LastPlace(cell)};
  return other << 40 | uint64_t{thread} << 20 | PlaceNow(cell, thread, site);
}

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_CELL_H_
