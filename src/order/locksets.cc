#include "order/locksets.h"

#include <algorithm>

namespace fairlead::order {

Locksets::Thread& Locksets::ThreadOf(Tid tid) {
  const size_t index = abi::Index(tid);
  if (index >= threads_.size()) threads_.resize(index + 1);
  return threads_[index];
}

std::span<const HeldLock> Locksets::HeldBy(Tid tid) const {
  const size_t index = abi::Index(tid);
  if (index >= threads_.size()) return {};
  return threads_[index].held;
}

HeldLocks Locksets::SnapshotOf(Tid tid) const {
  const size_t index = abi::Index(tid);
  if (index >= threads_.size() || threads_[index].held.empty()) return nullptr;
  const Thread& thread = threads_[index];
  if (thread.snapshot == nullptr) {
    thread.snapshot =
        std::make_shared<const std::vector<HeldLock>>(thread.held);
  }
  return thread.snapshot;
}

uint64_t Locksets::SectionOf(Tid tid, uint64_t lock) const {
  for (const HeldLock& held : HeldBy(tid)) {
    if (held.lock == lock) return held.section;
  }
  return 0;
}

std::span<const Locksets::Member> Locksets::MembersOf(LocksetId set) const {
  return sets_[static_cast<size_t>(set)];
}

void Locksets::OnEvent(const Event& event) {
  const LockMode mode =
      event.has(abi::kFlagShared) ? LockMode::kShared : LockMode::kExclusive;
  switch (event.kind) {
    case EventKind::kTryLock:
      if (!event.has(abi::kFlagSuccess)) return;
      [[fallthrough]];
    case EventKind::kLock:
    case EventKind::kFileLock:
      if (!event.has(abi::kFlagRecursive)) Take(event, event.address, mode);
      return;
    case EventKind::kUnlock:
    case EventKind::kFileUnlock:
      if (!event.has(abi::kFlagRecursive)) Give(event.tid, event.address);
      return;
    case EventKind::kWait:
      if (event.partner) Give(event.tid, event.partner->object);
      return;
    case EventKind::kWaitDone:
      if (event.partner && event.partner->object != 0) {
        Take(event, event.partner->object, LockMode::kExclusive);
      }
      return;
    case EventKind::kInit:
    case EventKind::kDestroy:
      Give(event.tid, event.address);
      return;
    case EventKind::kEnd:
      ThreadOf(event.tid) = {};
      return;
    // These take and give nothing.
    case EventKind::kSignal:
    case EventKind::kBroadcast:
    case EventKind::kBarrierWait:
    case EventKind::kBarrierDone:
    case EventKind::kSemWait:
    case EventKind::kSemPost:
    case EventKind::kOnceBegin:
    case EventKind::kOnceDone:
    case EventKind::kFutexWait:
    case EventKind::kFutexDone:
    case EventKind::kFutexWake:
    case EventKind::kAcquire:
    case EventKind::kRelease:
    case EventKind::kYield:
    case EventKind::kSleep:
    case EventKind::kMisuse:
    case EventKind::kFork:
    case EventKind::kBegin:
    case EventKind::kJoin:
    case EventKind::kDetach:
    case EventKind::kCancel:
    case EventKind::kCanceled:
    case EventKind::kThreadName:
#define FL_OTHER_kSync(name)
#define FL_OTHER_kThread(name)
#include "abi/other_groups.inc"
      return;
  }
}

void Locksets::Take(const Event& event, uint64_t lock, LockMode mode) {
  Thread& thread = ThreadOf(event.tid);
  std::erase_if(thread.held,
                [&](const HeldLock& each) { return each.lock == lock; });
  thread.held.push_back(
      {lock, mode, ++num_sections_, event.seq, SiteKey(event), event.node});
  Renew(thread);
}

void Locksets::Give(Tid tid, uint64_t lock) {
  Thread& thread = ThreadOf(tid);
  const size_t gone = std::erase_if(
      thread.held, [&](const HeldLock& each) { return each.lock == lock; });
  if (gone != 0) Renew(thread);
}

void Locksets::Renew(Thread& thread) {
  thread.snapshot.reset();
  if (thread.held.empty()) {
    thread.set = LocksetId::kEmpty;
    return;
  }
  std::vector<Member> members;
  members.reserve(thread.held.size());
  for (const HeldLock& each : thread.held) {
    members.push_back({each.lock, each.mode});
  }
  thread.set = Intern(std::move(members));
}

LocksetId Locksets::Intern(std::vector<Member> members) {
  // The strongest mode first, so that it is the one that stays.
  std::ranges::sort(members, [](const Member& a, const Member& b) {
    return a.lock != b.lock ? a.lock < b.lock : a.mode > b.mode;
  });
  const auto same = [](const Member& a, const Member& b) {
    return a.lock == b.lock;
  };
  members.erase(std::unique(members.begin(), members.end(), same),
                members.end());
  const auto known = numbers_.find(members);
  if (known != numbers_.end()) return known->second;
  const auto set = static_cast<LocksetId>(sets_.size());
  sets_.push_back(members);
  numbers_.emplace(std::move(members), set);
  return set;
}

bool Locksets::Exclude(LocksetId one, LocksetId other) {
  if (one == LocksetId::kEmpty || other == LocksetId::kEmpty) return false;
  const auto [low, high] = std::minmax(one, other);
  const uint64_t key =
      static_cast<uint64_t>(low) << 32 | static_cast<uint64_t>(high);
  const auto [entry, fresh] = excludes_.try_emplace(key, false);
  if (fresh) entry->second = ComputeExclude(one, other);
  return entry->second;
}

bool Locksets::ComputeExclude(LocksetId one, LocksetId other) const {
  const std::span<const Member> a = MembersOf(one);
  const std::span<const Member> b = MembersOf(other);
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].lock < b[j].lock) {
      ++i;
    } else if (b[j].lock < a[i].lock) {
      ++j;
    } else {
      if (a[i].mode == LockMode::kExclusive ||
          b[j].mode == LockMode::kExclusive) {
        return true;
      }
      ++i;
      ++j;
    }
  }
  return false;
}

}  // namespace fairlead::order
