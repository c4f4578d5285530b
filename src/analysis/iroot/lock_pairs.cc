#include "analysis/iroot/lock_pairs.h"

#include <algorithm>

namespace fairlead::analysis::iroot {

void LockPairs::OnLock(const trace::Event& event, const Touch& touch,
                       order::Locksets& locks, Segments& segments,
                       uint64_t instructions) {
  const size_t index = abi::Index(event.tid);
  if (index >= taken_.size()) taken_.resize(index + 1);
  std::vector<Taken>& taken = taken_[index];
  // A lock that is only tried for waits for nobody.
  const bool waits = event.kind != order::EventKind::kTryLock;
  const auto held = locks.HeldBy(event.tid);
  std::erase_if(taken, [&](const Taken& each) {
    return each.lock == touch.address ||
           std::ranges::find(held, each.lock, &order::HeldLock::lock) ==
               held.end();
  });
  for (const order::HeldLock& lock : held) {
    if (!waits || lock.lock == touch.address) continue;
    const auto when = std::ranges::find(taken, lock.lock, &Taken::lock);
    if (when == taken.end() || instructions - when->instructions > window_) {
      continue;
    }
    LockPair pair = {.tid = event.tid,
                     .held = lock.lock,
                     .wanted = touch.address,
                     .held_place = lock.site,
                     .wanted_place = order::SiteKey(event),
                     .held_exclusive = lock.mode == order::LockMode::kExclusive,
                     .wanted_exclusive = touch.exclusive,
                     .gates = order::LocksetId::kEmpty,
                     .moments = {}};
    std::vector<order::Locksets::Member> gates;
    for (const order::HeldLock& gate : held) {
      if (gate.lock != lock.lock) gates.push_back({gate.lock, gate.mode});
    }
    pair.gates = locks.Intern(std::move(gates));
    const auto known = std::ranges::find_if(pairs_, [&](const LockPair& each) {
      return each.tid == pair.tid && each.held == pair.held &&
             each.wanted == pair.wanted && each.held_place == pair.held_place &&
             each.wanted_place == pair.wanted_place &&
             each.held_exclusive == pair.held_exclusive &&
             each.wanted_exclusive == pair.wanted_exclusive &&
             each.gates == pair.gates;
    });
    LockPair& entry =
        known == pairs_.end() ? pairs_.emplace_back(std::move(pair)) : *known;
    Moment moment;
    segments.Now(event.tid, moment);
    if (entry.moments.size() < kMaxMoments &&
        std::ranges::find(entry.moments, moment) == entry.moments.end()) {
      entry.moments.push_back(std::move(moment));
    }
  }
  taken.push_back({touch.address, instructions});
}

bool LockPairs::MayDeadlock(const LockPair& one, const LockPair& other,
                            order::Locksets& locks) {
  if (one.tid == other.tid || one.held != other.wanted ||
      one.wanted != other.held || locks.Exclude(one.gates, other.gates)) {
    return false;
  }
  if (!(one.held_exclusive || other.wanted_exclusive) ||
      !(other.held_exclusive || one.wanted_exclusive)) {
    return false;
  }
  for (const Moment& a : one.moments) {
    for (const Moment& b : other.moments) {
      if (!Before(a, b, false) && !Before(b, a, false)) return true;
    }
  }
  return false;
}

}  // namespace fairlead::analysis::iroot
