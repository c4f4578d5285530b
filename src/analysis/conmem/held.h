// analysis/conmem/held.h
//
// Which locks a thread has held over a stretch of its execution.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_HELD_H_
#define FAIRLEAD_ANALYSIS_CONMEM_HELD_H_

#include <algorithm>
#include <vector>

#include "order/locksets.h"

namespace fairlead::analysis::conmem {

// The locks of `tid` that it has held without a break since before `seq`.
inline order::LocksetId HeldSince(uint64_t seq, trace::Tid tid,
                                  order::Locksets& locks) {
  const auto held = locks.HeldBy(tid);
  const auto since = [&](const order::HeldLock& lock) {
    return lock.seq < seq;
  };
  if (std::ranges::none_of(held, since)) return order::LocksetId::kEmpty;
  if (std::ranges::all_of(held, since)) return locks.SetOf(tid);
  std::vector<order::Locksets::Member> members;
  for (const order::HeldLock& lock : held) {
    if (since(lock)) members.push_back({lock.lock, lock.mode});
  }
  return locks.Intern(std::move(members));
}

// SiteKey of where the thread took the first lock that it has taken since `seq`
// and holds; 0 = none.
inline uint64_t FirstTakenSince(uint64_t seq, trace::Tid tid,
                                const order::Locksets& locks) {
  for (const order::HeldLock& lock : locks.HeldBy(tid)) {
    if (lock.seq > seq) return lock.site;
  }
  return 0;
}

inline order::Spot HoldSpot(uint64_t site_key) {
  order::Spot spot;
  spot.site = static_cast<uint32_t>(site_key >> 1);
  spot.instrumented = (site_key & 1) != 0;
  return spot;
}

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_HELD_H_
