// The edges of the primitives; threads, atomics and the rest are in
// happens_before.cc.

#include <algorithm>

#include "order/happens_before.h"

namespace fairlead::order {

void HappensBefore::OnSync(const Event& event, Thread& thread) {
  const bool shared = event.has(abi::kFlagShared);
  switch (event.kind) {
    case EventKind::kTryLock:
      if (!event.has(abi::kFlagSuccess)) return;
      [[fallthrough]];
    case EventKind::kLock:
    case EventKind::kFileLock:
      if (!event.has(abi::kFlagRecursive)) {
        TakeLock(event.address, shared, thread);
      }
      return;
    case EventKind::kUnlock:
    case EventKind::kFileUnlock:
      if (!event.has(abi::kFlagRecursive)) {
        GiveLock(event.address, shared, event);
      }
      return;
    case EventKind::kWait:
      if (event.partner && event.partner->object != 0) {
        GiveLock(event.partner->object, false, event);
      }
      BeginWait(event);
      return;
    case EventKind::kWaitDone:
      EndWait(event);
      if (event.partner && event.partner->object != 0) {
        TakeLock(event.partner->object, false, thread);
      }
      return;
    case EventKind::kFutexWait:
      BeginWait(event);
      return;
    case EventKind::kFutexDone:
      EndWait(event);
      return;
    case EventKind::kSignal:
    case EventKind::kBroadcast:
    case EventKind::kFutexWake:
      OnSignal(event);
      return;
    case EventKind::kBarrierWait:
    case EventKind::kBarrierDone:
      if (edges_.has(EdgeKind::kBarrier)) OnBarrier(event, thread);
      return;
    case EventKind::kSemWait:
      if (!edges_.has(EdgeKind::kSemaphore)) return;
      if (!event.has(abi::kFlagSuccess)) return;
      if (const VectorClock* posted = semaphores_.Find(event.address)) {
        Acquire(thread, *posted);
      }
      return;
    case EventKind::kSemPost:
      if (!edges_.has(EdgeKind::kSemaphore)) return;
      semaphores_.At(event.address).Join(thread.clock);
      EndSegment(event.tid);
      return;
    case EventKind::kOnceBegin:
    case EventKind::kOnceDone:
      if (edges_.has(EdgeKind::kOnce)) OnOnce(event, thread);
      return;
    case EventKind::kInit:
    case EventKind::kDestroy:
      EndObjects(event.address, 1);
      return;
    case EventKind::kAcquire:
      if (!edges_.has(EdgeKind::kAnnotated)) return;
      if (const VectorClock* released = annotated_.Find(event.address)) {
        Acquire(thread, *released);
      }
      return;
    case EventKind::kRelease:
      if (!edges_.has(EdgeKind::kAnnotated)) return;
      annotated_.At(event.address).Join(thread.clock);
      EndSegment(event.tid);
      return;
    // These order nothing.
    case EventKind::kYield:
    case EventKind::kSleep:
    case EventKind::kMisuse:
#define FL_OTHER_kSync(name)
#include "abi/other_groups.inc"
      return;
  }
}

void HappensBefore::TakeLock(uint64_t address, bool shared, Thread& thread) {
  if (!edges_.has(EdgeKind::kMutex) && !edges_.has(EdgeKind::kRwlock)) return;
  Lock& lock = locks_.At(address);
  lock.shared |= shared;
  if (!edges_.has(lock.shared ? EdgeKind::kRwlock : EdgeKind::kMutex)) return;
  Acquire(thread, lock.written);
  if (!shared) Acquire(thread, lock.read);
}

void HappensBefore::GiveLock(uint64_t address, bool shared,
                             const Event& event) {
  if (!edges_.has(EdgeKind::kMutex) && !edges_.has(EdgeKind::kRwlock)) return;
  Lock& lock = locks_.At(address);
  lock.shared |= shared;
  if (!edges_.has(lock.shared ? EdgeKind::kRwlock : EdgeKind::kMutex)) return;
  (shared ? lock.read : lock.written).Join(ThreadOf(event.tid).clock);
  EndSegment(event.tid);
}

void HappensBefore::OnBarrier(const Event& event, Thread& thread) {
  Barrier& barrier = barriers_.At(event.address);
  const auto arrived = std::ranges::find(barrier.arrived, event.tid,
                                         &std::pair<Tid, uint64_t>::first);
  if (event.kind == EventKind::kBarrierWait) {
    if (arrived != barrier.arrived.end()) return;  // no program does this
    auto generation = std::ranges::find(barrier.generations, event.value,
                                        &Generation::number);
    if (generation == barrier.generations.end()) {
      barrier.generations.push_back({event.value, 0, {}});
      generation = barrier.generations.end() - 1;
    }
    ++generation->inside;
    generation->clock.Join(thread.clock);
    barrier.arrived.emplace_back(event.tid, event.value);
    EndSegment(event.tid);
    return;
  }
  if (arrived == barrier.arrived.end()) return;
  const auto generation = std::ranges::find(
      barrier.generations, arrived->second, &Generation::number);
  barrier.arrived.erase(arrived);
  Acquire(thread, generation->clock);
  if (--generation->inside == 0) barrier.generations.erase(generation);
}

void HappensBefore::OnOnce(const Event& event, Thread& thread) {
  Once& once = onces_.At(event.address);
  if (event.kind == EventKind::kOnceBegin) {
    once.runner = event.tid;
    return;
  }
  Acquire(thread, once.clock);
  if (once.runner != event.tid) return;
  once.runner.reset();
  once.clock.Join(thread.clock);
  EndSegment(event.tid);
}

void HappensBefore::BeginWait(const Event& event) {
  if (!edges_.has(EdgeKind::kCondvar)) return;
  EndWait(event);
  condvars_.At(event.address).waiters.push_back({event.tid, event.seq});
}

// Also drops signals that no waiter can have been woken by.
void HappensBefore::EndWait(const Event& event) {
  if (!edges_.has(EdgeKind::kCondvar)) return;
  Condvar* condvar = condvars_.Find(event.address);
  if (condvar == nullptr) return;
  std::erase_if(condvar->waiters,
                [&](const Waiter& each) { return each.tid == event.tid; });
  uint64_t oldest = ~uint64_t{0};
  for (const Waiter& each : condvar->waiters) {
    oldest = std::min(oldest, each.seq);
  }
  std::erase_if(condvar->signals,
                [&](const Signal& each) { return each.seq < oldest; });
}

// One that tells how many it woke is kept until they have gone on, so that a
// wake-up finds exactly its cause. Of others, only the first of a thread since
// some waiter's wait: it is what counts.
void HappensBefore::OnSignal(const Event& event) {
  if (!edges_.has(EdgeKind::kCondvar)) return;
  Condvar* condvar = condvars_.Find(event.address);
  if (condvar == nullptr || condvar->waiters.empty()) return;
  if (event.value == 0) {
    uint64_t newest = 0;
    for (const Waiter& each : condvar->waiters) {
      newest = std::max(newest, each.seq);
    }
    for (const Signal& each : condvar->signals) {
      if (each.tid == event.tid && each.seq > newest) return;
    }
  } else if (condvar->signals.size() >= abi::kMaxThreads) {
    // Left by threads that were woken and gave up in the same moment.
    condvar->signals.erase(condvar->signals.begin());
  }
  condvar->signals.push_back(
      {event.tid, event.seq, event.value, ThreadOf(event.tid).clock});
  EndSegment(event.tid);
}

void HappensBefore::WokenBy(const Event& event, Thread& thread) {
  Condvar* condvar = condvars_.Find(event.address);
  if (condvar == nullptr || !event.partner) return;
  const auto waiter =
      std::ranges::find(condvar->waiters, event.tid, &Waiter::tid);
  if (waiter == condvar->waiters.end()) return;
  Signal* cause = nullptr;
  for (Signal& each : condvar->signals) {
    if (each.tid != event.partner->tid || each.seq < waiter->seq) continue;
    // A named cause is matched by the last that was kept up to it.
    if (cause == nullptr || (event.value != 0 && each.seq <= event.value)) {
      cause = &each;
    }
  }
  if (cause == nullptr) return;
  Acquire(thread, cause->clock);
  if (cause->seq != event.value || cause->to_wake == 0) return;
  if (--cause->to_wake == 0) {
    condvar->signals.erase(condvar->signals.begin() +
                           (cause - condvar->signals.data()));
  }
}

}  // namespace fairlead::order
