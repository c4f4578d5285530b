#include "tests/order/trace_maker.h"

#include <random>

namespace fairlead::order {
namespace {

using abi::MemoryOrder;
using trace::Event;
using trace::EventKind;

constexpr uint64_t kX = 0x1000;
constexpr uint64_t kMutex = 0x2000;
constexpr uint64_t kAtomic = 0x3000;
constexpr uint64_t kSemaphore = 0x4000;
constexpr uint64_t kCondvar = 0x5000;
constexpr uint64_t kBarrierObject = 0x6000;
constexpr uint64_t kOnceObject = 0x7000;
constexpr uint64_t kName = 0x8000;
constexpr uint64_t kHeap = 0x100000;
constexpr size_t kBarrierThreads = 2;

}  // namespace

Event& TraceMaker::Add(Tid tid, EventKind kind, uint64_t address) {
  Event event;
  event.seq = trace_.events.size();
  event.tid = tid;
  event.kind = kind;
  event.address = address;
  event.site = 1 + static_cast<uint32_t>(kind);
  event.flags = abi::kFlagInstrumented;
  trace_.events.push_back(event);
  return trace_.events.back();
}

void TraceMaker::Access(Tid tid, EventKind kind, uint64_t address,
                        MemoryOrder order, bool reads, bool writes) {
  Event& event = Add(tid, kind, address);
  event.size = 8;
  event.flags |= static_cast<uint16_t>(order);
  event.value = memory_[address];
  if (reads && writes) event.old_value = memory_[address];
  if (writes) {
    event.flags |= abi::kFlagWrites;
    memory_[address] = event.value = next_value_++;
  }
}

bool TraceMaker::Do(uint16_t thread, Move move) {
  const Tid tid{thread};
  // Threads other than main exist once they are forked, if anybody forks.
  if (ended_.contains(tid)) return false;
  const bool waits = waiting_.contains(tid) || at_barrier_.contains(tid) ||
                     leaving_.contains(tid);
  if (waits && move != Move::kWake && move != Move::kBarrierPassed) {
    return false;
  }
  return DoAccess(tid, move) || DoLock(tid, move) || DoLife(tid, move) ||
         DoCondvar(tid, move) || DoBarrierOrOnce(tid, move) ||
         DoOther(tid, move);
}

bool TraceMaker::DoAccess(Tid tid, Move move) {
  const auto plain = MemoryOrder::kPlain;
  switch (move) {
    case Move::kRead:
      Access(tid, EventKind::kRead, kX, plain, true, false);
      if (block_ != 0 && memory_[kX] == block_) knows_block_.insert(tid);
      return true;
    case Move::kWrite:
      Access(tid, EventKind::kWrite, kX, plain, false, true);
      return true;
    case Move::kLoadAcquire:
    case Move::kLoadRelaxed:
      Access(tid, EventKind::kAtomicLoad, kAtomic,
             move == Move::kLoadAcquire ? MemoryOrder::kAcquire
                                        : MemoryOrder::kRelaxed,
             true, false);
      return true;
    case Move::kStoreRelease:
    case Move::kStoreRelaxed:
      Access(tid, EventKind::kAtomicStore, kAtomic,
             move == Move::kStoreRelease ? MemoryOrder::kRelease
                                         : MemoryOrder::kRelaxed,
             false, true);
      return true;
    case Move::kUpdateRelaxed:
    case Move::kUpdateAcqRel:
      Access(tid, EventKind::kRmw, kAtomic,
             move == Move::kUpdateAcqRel ? MemoryOrder::kAcqRel
                                         : MemoryOrder::kRelaxed,
             true, true);
      return true;
    case Move::kFenceAcquire:
    case Move::kFenceRelease:
      Add(tid, EventKind::kFence, 0).flags |= static_cast<uint16_t>(
          move == Move::kFenceAcquire ? MemoryOrder::kAcquire
                                      : MemoryOrder::kRelease);
      return true;
    default:
      return false;
  }
}

bool TraceMaker::DoLock(Tid tid, Move move) {
  switch (move) {
    case Move::kLock:
      if (owner_ != Tid::kNone || !readers_.empty()) return false;
      owner_ = tid;
      Add(tid, EventKind::kLock, kMutex);
      return true;
    case Move::kUnlock:
      if (!Holds(tid)) return false;
      owner_ = Tid::kNone;
      Add(tid, EventKind::kUnlock, kMutex);
      return true;
    case Move::kLockShared:
      if (owner_ != Tid::kNone || readers_.contains(tid)) return false;
      readers_.insert(tid);
      Add(tid, EventKind::kLock, kMutex).flags |= abi::kFlagShared;
      return true;
    case Move::kUnlockShared:
      if (!readers_.contains(tid)) return false;
      readers_.erase(readers_.find(tid));
      Add(tid, EventKind::kUnlock, kMutex).flags |= abi::kFlagShared;
      return true;
    case Move::kDestroy:
      if (owner_ != Tid::kNone || !readers_.empty()) return false;
      if (!waiting_.empty()) return false;
      Add(tid, EventKind::kDestroy, kMutex);
      return true;
    default:
      return false;
  }
}

bool TraceMaker::DoLife(Tid tid, Move move) {
  const uint16_t next = static_cast<uint16_t>(abi::Index(tid)) + 1;
  const Tid other{next};
  if (next >= num_threads_ && move != Move::kEnd && move != Move::kCanceled) {
    return false;
  }
  switch (move) {
    case Move::kFork:
      for (const Event& event : trace_.events) {
        if (event.tid == other) return false;
      }
      if (!forked_.insert(other).second) return false;
      Add(tid, EventKind::kFork, 0).value = next;
      Add(other, EventKind::kBegin, 0);
      return true;
    case Move::kEnd:
      if (tid == Tid::kMain || Holds(tid) || readers_.contains(tid) ||
          once_runner_ == tid) {
        return false;
      }
      ended_.insert(tid);
      Add(tid, EventKind::kEnd, 0);
      return true;
    case Move::kJoin:  // also one that fails
      Add(tid, EventKind::kJoin, 0).value = next;
      if (!forked_.contains(other)) ended_.insert(other);
      return true;
    case Move::kCancel:
      Add(tid, EventKind::kCancel, 0).value = next;
      return true;
    case Move::kCanceled:
      Add(tid, EventKind::kCanceled, 0);
      return true;
    default:
      return false;
  }
}

bool TraceMaker::DoCondvar(Tid tid, Move move) {
  switch (move) {
    case Move::kWait:
      if (!Holds(tid)) return false;
      owner_ = Tid::kNone;
      waiting_[tid] = {};
      Add(tid, EventKind::kWait, kCondvar).partner =
          trace::Partner{tid, kMutex};
      return true;
    case Move::kSignal:
    case Move::kBroadcast: {
      Event& event = Add(
          tid,
          move == Move::kSignal ? EventKind::kSignal : EventKind::kBroadcast,
          kCondvar);
      for (auto& [waiter, by] : waiting_) {
        if (by) continue;
        by = event.seq;
        if (causes_ == Causes::kEvents) ++event.value;
        if (move == Move::kSignal) break;
      }
      return true;
    }
    case Move::kWake: {
      const auto waiter = waiting_.find(tid);
      if (waiter == waiting_.end() || !waiter->second || owner_ != Tid::kNone ||
          !readers_.empty()) {
        return false;
      }
      const uint64_t by = *waiter->second;
      Event& event = Add(tid, EventKind::kWakeSignal, kCondvar);
      event.partner = trace::Partner{trace_.events[by].tid, kCondvar};
      if (causes_ == Causes::kEvents) event.value = by;
      waiting_.erase(waiter);
      owner_ = tid;
      Add(tid, EventKind::kWaitDone, kCondvar).partner =
          trace::Partner{tid, kMutex};
      return true;
    }
    default:
      return false;
  }
}

bool TraceMaker::DoBarrierOrOnce(Tid tid, Move move) {
  switch (move) {
    case Move::kBarrier:
      at_barrier_.insert(tid);
      Add(tid, EventKind::kBarrierWait, kBarrierObject).value = generation_;
      if (at_barrier_.size() == kBarrierThreads) {
        leaving_.insert(at_barrier_.begin(), at_barrier_.end());
        at_barrier_.clear();
        ++generation_;
      }
      return true;
    case Move::kBarrierPassed:
      if (leaving_.erase(tid) == 0) return false;
      Add(tid, EventKind::kBarrierDone, kBarrierObject);
      return true;
    case Move::kOnce:
      if (once_runner_ != Tid::kNone || once_done_) return false;
      once_runner_ = tid;
      Add(tid, EventKind::kOnceBegin, kOnceObject);
      return true;
    case Move::kOnceDone:
      if (!once_done_ && once_runner_ != tid) return false;
      once_done_ = true;
      once_runner_ = Tid::kNone;
      Add(tid, EventKind::kOnceDone, kOnceObject);
      return true;
    default:
      return false;
  }
}

bool TraceMaker::DoOther(Tid tid, Move move) {
  switch (move) {
    case Move::kPost:
      ++posts_;
      Add(tid, EventKind::kSemPost, kSemaphore);
      return true;
    case Move::kSemWait:  // without a post: a try that fails
      Add(tid, EventKind::kSemWait, kSemaphore).flags |=
          posts_ == 0 ? 0 : abi::kFlagSuccess;
      if (posts_ != 0) --posts_;
      return true;
    case Move::kAnnotatedRelease:
      Add(tid, EventKind::kRelease, kName);
      return true;
    case Move::kAnnotatedAcquire:
      Add(tid, EventKind::kAcquire, kName);
      return true;
    case Move::kSend:
      Add(tid, EventKind::kSignalSent, 0).partner =
          trace::Partner{Tid::kMain, 0};
      return true;
    case Move::kDelivered:
      Add(tid, EventKind::kSignalDelivered, 0);
      return true;
    case Move::kAlloc:
      if (block_ != 0) return false;
      block_ = kHeap + 0x100 * num_blocks_++;
      knows_block_ = {tid};
      Add(tid, EventKind::kAlloc, block_).value = 16;
      return true;
    case Move::kFree:
      if (!knows_block_.contains(tid) || block_ == 0) return false;
      Add(tid, EventKind::kFree, block_).value = 16;
      block_ = 0;
      return true;
    case Move::kPublish:
      if (block_ == 0 || !knows_block_.contains(tid)) return false;
      next_value_ = block_;
      Access(tid, EventKind::kWrite, kX, MemoryOrder::kPlain, false, true);
      next_value_ = 1 + trace_.events.size();
      return true;
    case Move::kTouch:
      if (block_ == 0 || !knows_block_.contains(tid)) return false;
      Access(tid, EventKind::kWrite, block_ + 8, MemoryOrder::kPlain, false,
             true);
      return true;
    default:
      return false;
  }
}

trace::Trace RandomTrace(uint64_t seed, uint16_t num_threads, size_t length) {
  std::mt19937_64 random(seed);
  TraceMaker maker(num_threads,
                   seed % 2 == 0 ? Causes::kThreads : Causes::kEvents);
  for (size_t tries = 0; tries < 20 * length; ++tries) {
    const auto thread = static_cast<uint16_t>(random() % num_threads);
    const auto move =
        static_cast<Move>(random() % (static_cast<uint64_t>(Move::kLast) + 1));
    maker.Do(thread, move);
    if (maker.trace().events.size() >= length) break;
  }
  return maker.trace();
}

}  // namespace fairlead::order
