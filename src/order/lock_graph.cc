#include "order/lock_graph.h"

#include <algorithm>

namespace fairlead::order {
namespace {

bool Takes(const Event& event) {
  if (event.has(abi::kFlagRecursive)) return false;
  switch (event.kind) {
    case EventKind::kLock:
    case EventKind::kFileLock:
    case EventKind::kWaitDone:
      return true;
    case EventKind::kTryLock:
      return event.has(abi::kFlagSuccess);
    default:
      return false;
  }
}

uint64_t LockOf(const Event& event) {
  if (event.kind != EventKind::kWaitDone) return event.address;
  return event.partner ? event.partner->object : 0;
}

bool Blocks(LockMode one, LockMode other) {
  return one == LockMode::kExclusive || other == LockMode::kExclusive;
}

uint64_t DigestOfArc(const LockGraph::Arc& arc) {
  uint64_t digest = abi::Index(arc.tid);
  for (const uint64_t part :
       {arc.held, arc.wanted, arc.took.key(), arc.asked.key(),
        static_cast<uint64_t>(arc.gates)}) {
    digest = (digest ^ part) * 0x9e3779b97f4a7c15u;
    digest ^= digest >> 29;
  }
  return digest;
}

bool SameArc(const LockGraph::Arc& a, const LockGraph::Arc& b) {
  return a.tid == b.tid && a.held == b.held && a.wanted == b.wanted &&
         a.took.key() == b.took.key() && a.asked.key() == b.asked.key() &&
         a.gates == b.gates && a.held_mode == b.held_mode &&
         a.wanted_mode == b.wanted_mode;
}

}  // namespace

void LockGraph::OnOther(const Event& event, Model& order, const Found& found) {
  if (!Takes(event) || LockOf(event) == 0) return;
  // A try does not wait, so nothing can be made to wait there forever. A
  // condition wait asks for its mutex again while it holds the others.
  if (event.kind != EventKind::kTryLock) Ask(event, order, found);
  Remember(event, order);
}

void LockGraph::Remember(const Event& event, Model& order) {
  const size_t index = abi::Index(event.tid);
  if (index >= holdings_.size()) holdings_.resize(index + 1);
  std::vector<Holding>& list = holdings_[index];
  std::erase_if(list, [&](const Holding& each) {
    return each.lock == LockOf(event) ||
           order.locks().SectionOf(event.tid, each.lock) == 0;
  });
  list.push_back(
      {LockOf(event), SpotOf(event), order.weak().SnapshotOf(event.tid)});
}

const LockGraph::Holding* LockGraph::HoldingOf(Tid tid, uint64_t lock) const {
  const size_t index = abi::Index(tid);
  if (index >= holdings_.size()) return nullptr;
  const auto found = std::ranges::find(holdings_[index], lock, &Holding::lock);
  return found == holdings_[index].end() ? nullptr : &*found;
}

void LockGraph::Ask(const Event& event, Model& order, const Found& found) {
  const uint64_t wanted = LockOf(event);
  for (const HeldLock& held : order.locks().HeldBy(event.tid)) {
    const Holding* holding = HoldingOf(event.tid, held.lock);
    if (held.lock == wanted || holding == nullptr) continue;
    Arc arc;
    arc.tid = event.tid;
    arc.held = held.lock;
    arc.held_mode = held.mode;
    arc.wanted = wanted;
    arc.wanted_mode =
        event.has(abi::kFlagShared) ? LockMode::kShared : LockMode::kExclusive;
    arc.gates = order.locks_before();
    arc.took = holding->spot;
    arc.asked = SpotOf(event);
    arc.epoch = order.weak_epoch();
    arc.knew = holding->knew;
    const Arc* added = AddArc(std::move(arc));
    if (added == nullptr) continue;
    Cycle path = {added};
    const size_t most = std::min(kMaxSearch, left_to_search_);
    size_t budget = most;
    Search(path, budget, order.locks(), found);
    left_to_search_ -= most - budget;
  }
}

// Null when it is there already. Of those that are alike the later one stays:
// what comes behind it comes behind the earlier one, too.
const LockGraph::Arc* LockGraph::AddArc(Arc arc) {
  const uint64_t digest = DigestOfArc(arc);
  const auto [begin, end] = by_digest_.equal_range(digest);
  for (auto known = begin; known != end; ++known) {
    if (!SameArc(*known->second, arc)) continue;
    if (known->second->epoch == arc.epoch && known->second->knew == arc.knew) {
      return nullptr;
    }
    // What it is compared with may have been ordered before: look again.
    *known->second = std::move(arc);
    return known->second;
  }
  if (arcs_.size() >= kMaxArcs) return nullptr;
  arcs_.push_back(std::make_unique<Arc>(std::move(arc)));
  Arc* added = arcs_.back().get();
  by_held_[added->held].push_back(added);
  by_digest_.emplace(digest, added);
  return added;
}

// The deadlock needs both threads to hold what they hold at the same time: not
// if one has asked, and so gone on, before the other took its lock.
bool LockGraph::Ordered(const Arc& one, const Arc& other) {
  return other.knew->Covers(one.epoch) || one.knew->Covers(other.epoch);
}

// Whether `next` can be added: a thread and locks of its own, not kept out by
// any gate, at the same time as all others.
bool LockGraph::Fits(const Cycle& path, const Arc& next, Locksets& locks) {
  for (const Arc* arc : path) {
    if (arc->tid == next.tid || arc->held == next.held) return false;
    if (locks.Exclude(arc->gates, next.gates)) return false;
    if (Ordered(*arc, next)) return false;
  }
  return true;
}

// Goes on from what the last arc waits for to those who hold it.
void LockGraph::Search(Cycle& path, size_t& budget, Locksets& locks,
                       const Found& found) {
  const Arc& last = *path.back();
  const auto holders = by_held_.find(last.wanted);
  if (holders == by_held_.end()) return;
  for (const Arc* next : holders->second) {
    if (budget == 0) return;
    --budget;
    if (!Blocks(last.wanted_mode, next->held_mode) ||
        !Fits(path, *next, locks)) {
      continue;
    }
    path.push_back(next);
    if (next->wanted == path.front()->held) {
      if (Blocks(next->wanted_mode, path.front()->held_mode)) found(path);
    } else if (path.size() < kMaxCycle) {
      Search(path, budget, locks, found);
    }
    path.pop_back();
  }
}

}  // namespace fairlead::order
