#include "analysis/iroot/histories.h"

#include <algorithm>

namespace fairlead::analysis::iroot {
namespace {

constexpr size_t kMaxLocks = 32;  // bits of a mask

const order::HeldLock* FindHeld(std::span<const order::HeldLock> held,
                                uint64_t lock) {
  const auto found = std::ranges::find(held, lock, &order::HeldLock::lock);
  return found == held.end() ? nullptr : &*found;
}

}  // namespace

Histories::Slot& Histories::SlotOf(State& state, Tid tid) {
  for (Slot& slot : state.slots) {
    if (slot.tid == tid) return slot;
  }
  state.slots.emplace_back().tid = tid;
  return state.slots.back();
}

void Histories::MarkLock(uint64_t address) {
  lock_addresses_.insert(address);
  memory_.Touch(address, kLockBytes, [&](uint64_t, State& state) {
    SettleAll(state);
    state = {};
    state.is_lock = true;
  });
}

// The touch at hand is its section's first unless one came since it began.
uint32_t Histories::FirstMask(const Kind& kind, Tid tid,
                              uint64_t own_before) const {
  if (kind.locks == order::LocksetId::kEmpty) return 0;
  const auto members = locks_.MembersOf(kind.locks);
  const auto held = locks_.HeldBy(tid);
  uint32_t mask = 0;
  for (size_t i = 0; i < members.size() && i < kMaxLocks; ++i) {
    const order::HeldLock* lock = FindHeld(held, members[i].lock);
    if (lock == nullptr || own_before <= lock->seq + 1) mask |= 1u << i;
  }
  return mask;
}

// The pending touch is its section's last unless the thread is still in it.
uint32_t Histories::LastMask(const Slot& slot) const {
  const Kind& kind = nodes_[slot.kind];
  if (kind.locks == order::LocksetId::kEmpty) return 0;
  const auto members = locks_.MembersOf(kind.locks);
  const auto held = locks_.HeldBy(slot.tid);
  uint32_t mask = 0;
  for (size_t i = 0; i < members.size() && i < kMaxLocks; ++i) {
    const order::HeldLock* lock = FindHeld(held, members[i].lock);
    if (lock == nullptr || lock->seq > slot.seq) mask |= 1u << i;
  }
  return mask;
}

Histories::Seen Histories::OnTouch(State& state, uint64_t address,
                                   const Now& now) {
  Slot& slot = SlotOf(state, now.tid);
  const Kind& kind = nodes_[now.kind];
  const bool fresh = slot.node == kNoNode;
  const uint64_t own_before = fresh ? 0 : slot.seq + 1;
  if (slot.pending) {
    Settle(state, slot, LastMask(slot), slot.moment != now.moment);
  }
  slot.first = FirstMask(kind, now.tid, own_before);
  if (fresh || slot.kind != now.kind) {
    slot.kind = now.kind;
    slot.node = nodes_.At(now.kind, address);
  }
  slot.pending = true;
  slot.seq = now.seq;
  if (slot.moment.segment != now.moment.segment) {
    slot.moment = now.moment;
  } else {
    slot.moment.weak = now.moment.weak;
    slot.moment.loose = now.moment.loose;
  }
  state.written |= kind.exclusive || IsLock(kind.shape);
  state.shared |= state.written && state.slots.size() > 1;
  return {address, slot.node, own_before, state.shared};
}

// `over`: others may be ordered behind it by now, and have passed it over as a
// neighbour because it was pending.
void Histories::Settle(State& state, Slot& slot, uint32_t last, bool over) {
  slot.pending = false;
  // The same again, as in a loop: nothing new.
  if (!over && !state.entries.empty()) {
    Entry& latest = state.entries.back();
    if (latest.node == slot.node && latest.first == slot.first &&
        latest.last == last && latest.moment == slot.moment) {
      latest.last_seq = slot.seq;
      return;
    }
  }
  AddEntry(state,
           {.node = slot.node,
            .first = slot.first,
            .last = last,
            .first_seq = slot.seq,
            .last_seq = slot.seq,
            .moment = slot.moment},
           over);
}

// Whatever sections they were in are over, or will not touch it again.
void Histories::SettleAll(State& state) {
  for (Slot& slot : state.slots) {
    if (!slot.pending) continue;
    const size_t num_locks = locks_.MembersOf(nodes_[slot.kind].locks).size();
    Settle(state, slot,
           num_locks >= kMaxLocks ? ~uint32_t{0} : (1u << num_locks) - 1, true);
  }
}

void Histories::AddEntry(State& state, Entry entry, bool over) {
  std::vector<Entry>& entries = state.entries;
  for (Entry& known : entries) {
    if (!known.Like(entry) || known.moment != entry.moment) continue;
    known.last_seq = entry.last_seq;
    std::swap(known, entries.back());
    if (over && state.slots.size() > 1) Scan(state, entries.size() - 1);
    return;
  }
  entries.push_back(std::move(entry));
  if (state.slots.size() > 1) Scan(state, entries.size() - 1);
  if (entries.size() >= kManyEntries && entries.size() % 4 == 0) {
    DropPassed(state);
    if (entries.size() >= kMaxEntries) MakeRoom(state);
  }
}

// Whether all that is to come, and all that is pending, is behind it.
bool Histories::Passed(const State& state, const Entry& entry) {
  const Kind& kind = nodes_.KindOf(entry.node);
  for (const Slot& slot : state.slots) {
    if (slot.pending && slot.tid != kind.tid &&
        !Before(entry.moment, slot.moment, kind.atomic)) {
      return false;
    }
  }
  return segments_.PassedBy(entry.moment, live_, kind.atomic);
}

// Those that can be no neighbour of anything any more.
void Histories::DropPassed(State& state) {
  std::vector<Entry>& entries = state.entries;
  std::ranges::sort(entries, {}, &Entry::last_seq);
  std::vector<Tid> superseded;  // threads with a later entry that is passed
  for (size_t i = entries.size(); i-- > 0;) {
    if (!Passed(state, entries[i])) continue;
    const Tid tid = TidOf(entries[i]);
    if (std::ranges::find(superseded, tid) == superseded.end()) {
      superseded.push_back(tid);
    } else {
      entries[i].node = kNoNode;
    }
  }
  std::erase_if(entries,
                [](const Entry& entry) { return entry.node == kNoNode; });
}

void Histories::MakeRoom(State& state) {
  std::vector<Entry>& entries = state.entries;  // the latest last
  std::vector<Entry> kept;                      // the latest first
  for (size_t i = entries.size(); i-- > 0;) {
    // Of those that differ only in what their thread gave away since, the
    // latest is ordered before fewest others.
    const bool later = std::ranges::any_of(kept, [&](const Entry& other) {
      return other.Like(entries[i]) &&
             other.moment.segment == entries[i].moment.segment;
    });
    if (!later) kept.push_back(std::move(entries[i]));
  }
  if (kept.size() > kMaxEntries / 2) kept.resize(kMaxEntries / 2);
  std::ranges::reverse(kept);
  entries = std::move(kept);
}

void Histories::Scan(State& state, size_t index) {
  const Tid tid = TidOf(state.entries[index]);
  for (const Entry& other : state.entries) {
    if (TidOf(other) == tid) continue;
    Compare(state, state.entries[index], other);
  }
}

void Histories::Compare(const State& state, const Entry& one,
                        const Entry& other) {
  const Kind& a = nodes_.KindOf(one.node);
  const Kind& b = nodes_.KindOf(other.node);
  const bool forth = CanDepend(a.shape, a.exclusive, b.shape, b.exclusive);
  const bool back = CanDepend(b.shape, b.exclusive, a.shape, a.exclusive);
  if (!forth && !back) return;
  const bool atomic = a.atomic && b.atomic;
  if (Before(one.moment, other.moment, atomic)) {
    if (forth && LocksAllow(one, other) &&
        Neighbours(state, one, other, atomic)) {
      Predict(one, other);
    }
    return;
  }
  if (Before(other.moment, one.moment, atomic)) {
    if (back && LocksAllow(other, one) &&
        Neighbours(state, other, one, atomic)) {
      Predict(other, one);
    }
    return;
  }
  if (forth && LocksAllow(one, other)) Predict(one, other);
  if (back && LocksAllow(other, one)) Predict(other, one);
}

// Whether `early` is its thread's last touch that is ordered before `late`, and
// `late` its thread's first one behind `early`.
bool Histories::Neighbours(const State& state, const Entry& early,
                           const Entry& late, bool atomic) const {
  const Tid early_tid = TidOf(early);
  const Tid late_tid = TidOf(late);
  for (const Slot& slot : state.slots) {
    if (slot.tid == early_tid && slot.pending && slot.seq > early.last_seq &&
        Before(slot.moment, late.moment, atomic)) {
      return false;
    }
  }
  for (const Entry& entry : state.entries) {
    const Tid tid = TidOf(entry);
    if (tid == early_tid && entry.last_seq > early.last_seq &&
        Before(entry.moment, late.moment, atomic)) {
      return false;
    }
    if (tid == late_tid && entry.first_seq < late.first_seq &&
        Before(early.moment, entry.moment, atomic)) {
      return false;
    }
  }
  return true;
}

bool Histories::LocksAllow(const Entry& source, const Entry& end) const {
  const order::LocksetId one = nodes_.KindOf(source.node).locks;
  const order::LocksetId other = nodes_.KindOf(end.node).locks;
  if (!locks_.Exclude(one, other)) return true;
  const auto a = locks_.MembersOf(one);
  const auto b = locks_.MembersOf(other);
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].lock < b[j].lock) {
      ++i;
    } else if (b[j].lock < a[i].lock) {
      ++j;
    } else {
      const bool excludes = a[i].mode == order::LockMode::kExclusive ||
                            b[j].mode == order::LockMode::kExclusive;
      const bool last = i >= kMaxLocks || (source.last >> i & 1) != 0;
      const bool first = j >= kMaxLocks || (end.first >> j & 1) != 0;
      if (excludes && !(last && first)) return false;
      ++i;
      ++j;
    }
  }
  return true;
}

void Histories::Predict(const Entry& source, const Entry& end) {
  const uint64_t key = static_cast<uint64_t>(source.node) << 32 |
                       static_cast<uint64_t>(end.node);
  if (!known_edges_.insert(key).second) return;
  edges_[source.node].push_back(end.node);
}

void Histories::EndMemory(uint64_t address, uint64_t bytes) {
  memory_.Forget(address, bytes,
                 [&](uint64_t, State& state) { SettleAll(state); });
  auto lock = lock_addresses_.lower_bound(address);
  while (lock != lock_addresses_.end() && *lock - address < bytes) {
    EndLock(*lock);
    lock = lock_addresses_.erase(lock);
  }
}

void Histories::EndLock(uint64_t address) {
  State* state = locks_at_.Find(address);
  if (state == nullptr) return;
  SettleAll(*state);
  locks_at_.Forget(address, 1);
}

void Histories::OnThreadBegin(Tid tid) {
  if (std::ranges::find(live_, tid) == live_.end()) live_.push_back(tid);
}

void Histories::OnThreadEnd(Tid tid) { std::erase(live_, tid); }

void Histories::OnEnd() {
  memory_.ForEach([&](uint64_t, State& state) { SettleAll(state); });
  for (const uint64_t address : lock_addresses_) {
    if (State* state = locks_at_.Find(address)) SettleAll(*state);
  }
}

}  // namespace fairlead::analysis::iroot
