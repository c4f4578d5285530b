#include "analysis/iroot/local_pairs.h"

#include <algorithm>

namespace fairlead::analysis::iroot {
namespace {

// The locks of `tid` that it has held without a break since before `seq`.
order::LocksetId HeldSince(uint64_t seq, Tid tid, order::Locksets& locks) {
  const auto held = locks.HeldBy(tid);
  if (held.empty()) return order::LocksetId::kEmpty;
  const auto since = [&](const order::HeldLock& lock) {
    return lock.seq < seq;
  };
  if (std::ranges::all_of(held, since)) return locks.SetOf(tid);
  if (std::ranges::none_of(held, since)) return order::LocksetId::kEmpty;
  std::vector<order::Locksets::Member> members;
  for (const order::HeldLock& lock : held) {
    if (since(lock)) members.push_back({lock.lock, lock.mode});
  }
  return locks.Intern(std::move(members));
}

// A lock and the bytes at its address are different locations.
uint64_t LocationOf(uint64_t address, bool lock) {
  return address << 1 | (lock ? 1 : 0);
}

}  // namespace

void LocalPairs::Unlink(uint32_t node, uint32_t& newest) {
  Link& link = links_[node];
  if (link.newer == kEnd) {
    newest = link.older;
  } else {
    links_[link.newer].older = link.older;
  }
  if (link.older != kEnd) links_[link.older].newer = link.newer;
}

void LocalPairs::Add(Tid tid, const Near& now, order::Locksets& locks) {
  const auto node = static_cast<uint32_t>(now.node);
  if (node >= links_.size()) links_.resize(node + 1);
  if (abi::Index(tid) >= newest_.size()) {
    newest_.resize(abi::Index(tid) + 1, kEnd);
  }
  uint32_t& newest = newest_[abi::Index(tid)];
  walk_.clear();
  seen_.clear();
  uint64_t digest = 0x9e3779b97f4a7c15u;
  const uint64_t location = LocationOf(now.address, now.lock);
  bool own = false;  // older ones were compared with its last touch
  for (uint32_t i = newest; i != kEnd && !own && walk_.size() < kMaxWalk;
       i = links_[i].older) {
    const Link& link = links_[i];
    own = i == node;
    if (now.instructions - link.instructions > window_) break;
    if (link.seq == now.seq) continue;  // another location of the same event
    const uint64_t its_location = LocationOf(link.address, link.lock);
    LocalPair pair = {.first = NodeId{i},
                      .second = now.node,
                      .first_pass = link.pass,
                      .second_pass = now.pass};
    pair.same_location = its_location == location;
    pair.clean =
        pair.same_location
            ? now.own_before == link.seq + 1
            : now.own_before < link.seq + 1 &&
                  std::ranges::find(seen_, its_location) == seen_.end();
    pair.over = HeldSince(link.seq, tid, locks);
    seen_.push_back(its_location);
    walk_.push_back(pair);
    digest = (digest ^ i ^ static_cast<uint64_t>(pair.over) << 32 ^
              (pair.same_location ? uint64_t{1} << 62 : 0) ^
              (pair.clean ? uint64_t{1} << 63 : 0)) *
             0xbf58476d1ce4e5b9u;
    digest ^= digest >> 31;
  }
  Link& link = links_[node];
  if (digest != link.walk) {
    link.walk = digest;
    for (const LocalPair& pair : walk_) Record(pair);
  }
  if (link.linked) Unlink(node, newest);
  link = {.newer = kEnd,
          .older = newest,
          .linked = true,
          .lock = now.lock,
          .address = now.address,
          .seq = now.seq,
          .instructions = now.instructions,
          .pass = now.pass,
          .walk = digest};
  if (newest != kEnd) links_[newest].newer = node;
  newest = node;
}

void LocalPairs::Record(const LocalPair& pair) {
  if (pairs_.size() == kMaxPairs || !known_.insert(pair).second) return;
  by_nodes_[KeyOf(pair.first, pair.second)].push_back(
      static_cast<uint32_t>(pairs_.size()));
  pairs_.push_back(pair);
}

std::vector<const LocalPair*> LocalPairs::Between(NodeId first,
                                                  NodeId second) const {
  std::vector<const LocalPair*> found;
  const auto known = by_nodes_.find(KeyOf(first, second));
  if (known == by_nodes_.end()) return found;
  for (const uint32_t index : known->second) found.push_back(&pairs_[index]);
  return found;
}

}  // namespace fairlead::analysis::iroot
