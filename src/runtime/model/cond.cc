#include "runtime/model/cond.h"

#include <errno.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/misuse.h"
#include "runtime/model/mutex.h"
#include "runtime/model/mutex_layout.h"
#include "runtime/model/shared.h"
#include "runtime/model/stack_oracle.h"
#include "runtime/sys/page.h"
#include "runtime/sys/real.h"

namespace fairlead::rt {
namespace {

// How glibc uses the word __wrefs: two flags, then the number of waiters.
constexpr unsigned kSharedFlag = 1;
constexpr unsigned kMonotonicFlag = 2;
constexpr unsigned kOneWaiter = 8;
// Where a sequence number counts up from 0, nobody comes near this.
constexpr unsigned long long kDestroyedMark = 0xdead'c0de'dead'c0de;

bool Never(const Thread&) { return false; }
bool HasNoWaiters(const Thread& thread) {
  return static_cast<const Cond*>(thread.intent.state)->first == nullptr;
}

bool IsShared(const pthread_cond_t* cond) {
  return (cond->__data.__wrefs & kSharedFlag) != 0;
}

unsigned& WaiterWord(const Cond& cond) {
  return static_cast<pthread_cond_t*>(const_cast<void*>(cond.address))
      ->__data.__wrefs;
}

Cond& FindCond(Thread& thread, pthread_cond_t* cond) {
  Cond& state = FindObject<Cond>(cond);
  if (cond->__data.__wseq.__value64 == kDestroyedMark) {
    ReportMisuse(thread, abi::Misuse::kUseAfterDestroy, cond);
    cond->__data.__wseq.__value64 = 0;
  } else if (state.first != nullptr && WaiterWord(state) < kOneWaiter) {
    return RenewObject<Cond>(cond);
  }
  return state;
}

void Enqueue(Cond& cond, CondWaiter& waiter) {
  CondWaiter** link = &cond.first;
  while (*link != nullptr) link = &(*link)->next;
  *link = &waiter;
  ++cond.num_waiters;
  WaiterWord(cond) += kOneWaiter;
}

void Dequeue(Cond& cond, CondWaiter& waiter) {
  for (CondWaiter** link = &cond.first; *link != nullptr;
       link = &(*link)->next) {
    if (*link != &waiter) continue;
    *link = waiter.next;
    --cond.num_waiters;
    // Unless something else is in its memory now.
    if (PeekObject(cond.address) == &cond) WaiterWord(cond) -= kOneWaiter;
    gate().Changed(cond.address);
    return;
  }
}

void WakeOne(Thread& signaller, Cond& cond, CondWaiter& waiter) {
  Dequeue(cond, waiter);
  waiter.signalled = emitter().ByNextEvent(signaller);
  gate().Replace(*waiter.thread, cond.address,
                 WantMutex(EventKind::kWaitDone, *waiter.mutex));
}

// Giving up a mutex that the thread does not hold: an error, or 0 if the wait
// goes on all the same.
int WaitWithout(Thread& thread, pthread_cond_t* cond, const Mutex& mutex) {
  MutexLayout layout(mutex.address);
  if (layout.must_refuse_waiters()) return EPERM;
  ReportMisuse(thread, abi::Misuse::kWaitWithoutMutex, cond);
  return layout.refuses_strangers() ? EPERM : 0;
}

// Comes back when the wait is over, in whichever way; without the mutex.
Wake WaitForSignal(Thread& thread, pthread_cond_t* cond, uint64_t deadline_ns,
                   const Place& place) {
  Intent intent = {.op = EventKind::kWait,
                   .object = cond,
                   .ready = Never,
                   .deadline_ns = deadline_ns};
  if (PlanAsks(abi::kPlanSpurious) &&
      gate().Choose(thread, EventKind::kWait, 2) == 1) {
    intent.ready = nullptr;
    return ArriveCancelable(thread, intent, place);
  }
  return AwaitCancelable(thread, intent, place);
}

void EmitWait(Thread& thread, EventKind kind, uint16_t flags,
              const pthread_cond_t* cond, const pthread_mutex_t* mutex) {
  emitter().Emit(thread, kind, flags | abi::kFlagPoint, cond, 0,
                 {EventKind::kExtPartner, reinterpret_cast<uint64_t>(mutex),
                  static_cast<uint64_t>(thread.tid)});
}

int WaitShared(Thread& thread, pthread_mutex_t* mutex, const Until& until,
               const Place& place) {
  CountUncontrolled(abi::Uncontrolled::kProcessShared);
  const int error = UnlockMutex(thread, mutex, place);
  if (error != 0) return error;
  LetOthersRun(thread, 1);
  const int taken = LockMutex(thread, mutex, place);
  if (CancelIsDue(thread)) CancelSelf(thread);
  return taken == 0 && HasPassed(until) ? ETIMEDOUT : taken;
}

}  // namespace

int WaitCond(Thread& thread, pthread_cond_t* cond, pthread_mutex_t* mutex,
             Until until, WaitClock clock, const Place& place) {
  if (clock == WaitClock::kOfCond) {
    until.clock = (cond->__data.__wrefs & kMonotonicFlag) != 0 ? CLOCK_MONOTONIC
                                                               : CLOCK_REALTIME;
  }
  const uint64_t deadline = DeadlineOf(until);
  if (deadline == kBadDeadline) return EINVAL;
  if (IsShared(cond) || IsSharedMutex(mutex)) {
    return WaitShared(thread, mutex, until, place);
  }
  gate().Arrive(thread, {.op = EventKind::kWait, .object = cond}, place);
  if (CancelIsDue(thread)) CancelSelf(thread);
  CheckPrimitive(thread, cond);
  Cond& state = FindCond(thread, cond);
  Mutex& held = FindMutex(mutex);
  uint32_t depth = 1;
  if (held.owner != &thread) {
    const int error = WaitWithout(thread, cond, held);
    if (error != 0) return error;
  }
  if (state.first != nullptr && state.first->mutex != &held) {
    ReportMisuse(thread, abi::Misuse::kWaitTwoMutexes, cond);
  }
  EmitWait(thread, EventKind::kWait, 0, cond, mutex);
  if (held.owner != nullptr) depth = ReleaseMutex(thread, held);
  CondWaiter waiter = {&thread, &held, {}, nullptr};
  Enqueue(state, waiter);
  ++held.pins;
  const Wake wake = WaitForSignal(thread, cond, deadline, place);
  const bool signalled = waiter.signalled.thread != nullptr;
  if (!signalled) {
    Dequeue(state, waiter);
    gate().Arrive(thread, WantMutex(EventKind::kWaitDone, held), place);
  }
  --held.pins;
  const int taken = TakeMutex(thread, held, depth);
  if (signalled) {
    emitter().EmitWake(thread, EventKind::kWakeSignal, cond, waiter.signalled);
  }
  const bool timed_out = !signalled && wake == Wake::kTimedOut;
  uint16_t flags = 0;
  if (timed_out) flags |= abi::kFlagTimedOut;
  if (!signalled && !timed_out) flags |= abi::kFlagSpurious;
  if (taken == EOWNERDEAD) flags |= abi::kFlagRobust;
  EmitWait(thread, EventKind::kWaitDone, flags, cond, mutex);
  if (wake == Wake::kCanceled) CancelSelf(thread);
  if (taken != 0) return taken;
  return timed_out ? ETIMEDOUT : 0;
}

int SignalCond(Thread& thread, pthread_cond_t* cond, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kSignal, .object = cond}, place);
  if (IsShared(cond)) return real().pthread_cond_signal(cond);
  CheckPrimitive(thread, cond);
  Cond& state = FindCond(thread, cond);
  const uint32_t waiters = state.num_waiters;
  if (waiters != 0) {
    CondWaiter* waiter = state.first;
    for (uint32_t skip = gate().Choose(thread, EventKind::kSignal, waiters);
         skip > 0; --skip) {
      waiter = waiter->next;
    }
    WakeOne(thread, state, *waiter);
  }
  gate().Progressed(thread);
  emitter().Emit(thread, EventKind::kSignal, abi::kFlagPoint, cond,
                 waiters != 0);
  return 0;
}

int BroadcastCond(Thread& thread, pthread_cond_t* cond, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kBroadcast, .object = cond}, place);
  if (IsShared(cond)) return real().pthread_cond_broadcast(cond);
  CheckPrimitive(thread, cond);
  Cond& state = FindCond(thread, cond);
  const uint32_t waiters = state.num_waiters;
  while (state.first != nullptr) WakeOne(thread, state, *state.first);
  gate().Progressed(thread);
  emitter().Emit(thread, EventKind::kBroadcast, abi::kFlagPoint, cond, waiters);
  return 0;
}

void InitCond(Thread& thread, pthread_cond_t* cond, const Place& place) {
  thread.place = place;
  const Object* old = PeekObject(cond);
  if (old != nullptr && old->kind == ObjectKind::kCond &&
      static_cast<const Cond*>(old)->first != nullptr) {
    ReportMisuse(thread, abi::Misuse::kDoubleInit, cond);
  }
  RenewObject<Cond>(cond);
  emitter().Emit(thread, EventKind::kInit, 0, cond, 0);
}

int DestroyCond(Thread& thread, pthread_cond_t* cond, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kDestroy, .object = cond}, place);
  if (IsShared(cond)) return real().pthread_cond_destroy(cond);
  Cond& state = FindCond(thread, cond);
  if (state.first != nullptr) {
    // glibc waits here until they are gone, so this does too.
    ReportMisuse(thread, abi::Misuse::kDestroyWaited, cond);
    gate().Arrive(thread,
                  {.op = EventKind::kDestroy,
                   .object = cond,
                   .ready = HasNoWaiters,
                   .state = &state},
                  place);
  }
  emitter().Emit(thread, EventKind::kDestroy, abi::kFlagPoint, cond, 0);
  EndObject(cond);
  cond->__data.__wseq.__value64 = kDestroyedMark;
  return 0;
}

}  // namespace fairlead::rt
