#include "guard/backoff.h"

#include "abi/guard_rules.h"
#include "guard/board.h"

namespace fairlead::guard {
namespace {

// Of pairs that fall on one entry, one remembers for the other: at worst it
// stalls too seldom.
struct Vain {
  uint32_t in_a_row;  // stalls that nothing ended
  uint32_t skipped;   // violations since, without a stall
};
constexpr uint32_t kEntries = 4096;
Vain vain[kEntries];
// So many stalls in vain are chance; behind them, every second, fourth, …
// violation is stalled.
constexpr uint32_t kForgiven = 3;
constexpr uint32_t kMostDoublings = 12;

constexpr uint64_t kSecond = 1'000'000'000;
uint64_t second_began = 0;
uint64_t second_used = 0;

Vain& EntryOf(uint32_t site, uint32_t place) {
  const uint64_t pair = abi::GuardPair(site, place) * 0x9e3779b97f4a7c15;
  return vain[pair >> 52];
}

bool IsDue(Vain& entry) {
  if (entry.in_a_row < kForgiven) return true;
  const uint32_t doublings = entry.in_a_row - kForgiven + 1;
  const uint32_t wanted =
      1u << (doublings < kMostDoublings ? doublings : kMostDoublings);
  if (++entry.skipped < wanted) return false;
  entry.skipped = 0;
  return true;
}

}  // namespace

StallEnd MayStall(uint32_t site, uint32_t place, uint64_t now) {
  if (now - __atomic_load_n(&second_began, __ATOMIC_RELAXED) > kSecond) {
    __atomic_store_n(&second_began, now, __ATOMIC_RELAXED);
    __atomic_store_n(&second_used, 0, __ATOMIC_RELAXED);
  }
  if (__atomic_load_n(&second_used, __ATOMIC_RELAXED) >= options.budget_ns) {
    return StallEnd::kOverBudget;
  }
  return IsDue(EntryOf(site, place)) ? StallEnd::kResolved
                                     : StallEnd::kBackedOff;
}

void NoteStall(uint32_t site, uint32_t place, StallEnd end, uint64_t ns) {
  __atomic_fetch_add(&second_used, ns, __ATOMIC_RELAXED);
  Vain& entry = EntryOf(site, place);
  if (end == StallEnd::kResolved) {
    entry.in_a_row = 0;
  } else {
    ++entry.in_a_row;
  }
}

}  // namespace fairlead::guard
