#include "runtime/sites/features.h"

#include <string.h>

#include "abi/context.h"
#include "runtime/sites/portable.h"
#include "runtime/sys/arena.h"

namespace fairlead::rt {
namespace {

constinit Features the_features;

uint64_t Number(SiteId site) { return static_cast<uint64_t>(site); }
uint64_t Number(Tid tid) { return static_cast<uint16_t>(tid); }

// A word or lock by a name that is the same in every execution; never 0.
uint64_t KeyOf(const void* address) {
  return Portable(reinterpret_cast<uint64_t>(address)) >> 3 | uint64_t{1} << 63;
}

}  // namespace

Features& features() { return the_features; }

void Features::Begin(abi::ControlPage& page) {
  bits_ = nullptr;
  counts_ = nullptr;
  if ((page.plan.flags & abi::kPlanFeatures) == 0) return;
  if (page.region(abi::RegionId::kFeatures).capacity < abi::kFeatureWords ||
      page.region(abi::RegionId::kCounts).capacity < abi::kMaxThreads) {
    return;
  }
  bits_ = page.entries<uint64_t>(abi::RegionId::kFeatures);
  counts_ = page.entries<abi::OperationCount>(abi::RegionId::kCounts);
  // The page may have served another execution before.
  memset(bits_, 0, abi::kFeatureWords * sizeof(uint64_t));
  counts_[abi::Index(Tid::kMain)] = {};
  if (last_ == nullptr) last_ = ArenaArray<Last>(kLast);
}

void Features::Finish(abi::ControlPage& page, size_t num_threads) const {
  if (!on()) return;
  page.region(abi::RegionId::kFeatures).used = abi::kFeatureWords;
  page.region(abi::RegionId::kCounts).used = num_threads;
}

void Features::Mark(Kind kind, uint64_t a, uint64_t b) {
  const uint64_t hash = abi::Fold(abi::Fold(static_cast<uint64_t>(kind), a), b);
  const uint64_t bit = hash >> 48;  // 16 bits: 64 Ki
  static_assert(abi::kFeatureWords * 64 == 1u << 16);
  bits_[bit >> 6] |= uint64_t{1} << (bit & 63);
}

Features::Last& Features::Find(uint64_t key) {
  return last_[(key * 0x9e3779b97f4a7c15 >> 40) % kLast];
}

void Features::Saw(Thread& thread, EventKind kind, uint16_t flags,
                   const void* address) {
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kAtomicLoad:
      return SawAccess(thread, true, false, KeyOf(address));
    case EventKind::kWrite:
    case EventKind::kAtomicStore:
      return SawAccess(thread, false, true, KeyOf(address));
    case EventKind::kRmw:
      return SawAccess(thread, true, true, KeyOf(address));
    case EventKind::kCas:
      return SawAccess(thread, true, (flags & abi::kFlagSuccess) != 0,
                       KeyOf(address));
    case EventKind::kTryLock:
      if ((flags & abi::kFlagSuccess) == 0) return;
      [[fallthrough]];
    case EventKind::kLock:
      if ((flags & abi::kFlagRecursive) != 0) return;
      return SawLock(thread, KeyOf(address));
    case EventKind::kUnlock:
      if ((flags & abi::kFlagRecursive) != 0) return;
      return SawUnlock(thread, KeyOf(address));
    default:
      return;
  }
}

void Features::SawAccess(Thread& thread, bool reads, bool writes,
                         uint64_t key) {
  Last& last = Find(key);
  const bool known = last.key == key;
  const SiteId from = known ? last.site : SiteId::kNone;
  const uint64_t own = known && last.thread == thread.tid ? 1 : 0;
  const uint64_t here = Number(thread.place.anchor);
  if (reads) Mark(Kind::kReads, Number(from) + own, here);
  if (!writes) return;
  if (own == 0) Mark(Kind::kReplaces, Number(from), here);
  last = {key, thread.place.anchor, thread.tid};
}

void Features::SawLock(Thread& thread, uint64_t key) {
  HeldLocks& held = thread.held;
  for (size_t i = 0; i < held.num && i < kMaxHeld; ++i) {
    Mark(Kind::kLockOrder, held.keys[i], key);
  }
  if (held.num < kMaxHeld) held.keys[held.num] = key;
  ++held.num;
  const Last& last = Find(key);
  if (last.key != key) return;
  Mark(Kind::kHandOver, key, Number(last.thread) << 16 | Number(thread.tid));
}

void Features::SawUnlock(Thread& thread, uint64_t key) {
  Find(key) = {key, thread.place.anchor, thread.tid};
  HeldLocks& held = thread.held;
  if (held.num == 0) return;
  // The last one taken is usually the first one given back.
  size_t at = held.num < kMaxHeld ? held.num : kMaxHeld;
  while (at > 0 && held.keys[at - 1] != key) --at;
  if (at != 0) {
    for (; at < held.num && at < kMaxHeld; ++at) {
      held.keys[at - 1] = held.keys[at];
    }
  }
  --held.num;
}

}  // namespace fairlead::rt
