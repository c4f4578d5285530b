#include "analysis/iroot/lock_pairs.h"

#include <algorithm>

namespace fairlead::analysis::iroot {
namespace {

bool Same(const LockPair& a, const LockPair& b) {
  return a.tid == b.tid && a.held == b.held && a.wanted == b.wanted &&
         a.held_place == b.held_place && a.wanted_place == b.wanted_place &&
         a.held_exclusive == b.held_exclusive &&
         a.wanted_exclusive == b.wanted_exclusive && a.gates == b.gates;
}

uint64_t DigestOfPair(const LockPair& pair) {
  uint64_t digest = abi::Index(pair.tid);
  for (const uint64_t part :
       {pair.held, pair.wanted, pair.held_place, pair.wanted_place,
        static_cast<uint64_t>(pair.gates)}) {
    digest = (digest ^ part) * 0x9e3779b97f4a7c15u;
    digest ^= digest >> 29;
  }
  return digest;
}

}  // namespace

// The one that is kept for all that are the same; null when there is no room.
LockPair* LockPairs::EntryOf(LockPair pair) {
  const uint64_t digest = DigestOfPair(pair);
  const auto [begin, end] = by_digest_.equal_range(digest);
  for (auto known = begin; known != end; ++known) {
    if (Same(pairs_[known->second], pair)) return &pairs_[known->second];
  }
  if (pairs_.size() == kMaxPairs) return nullptr;
  by_digest_.emplace(digest, pairs_.size());
  return &pairs_.emplace_back(std::move(pair));
}

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
    LockPair* entry = EntryOf(std::move(pair));
    if (entry == nullptr || entry->moments.size() == kMaxMoments) continue;
    Moment moment;
    segments.Now(event.tid, moment);
    if (std::ranges::find(entry->moments, moment) == entry->moments.end()) {
      entry->moments.push_back(std::move(moment));
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
