#include "runtime/model/cond.h"

#include <errno.h>

#include "runtime/emit/emitter.h"
#include "runtime/execution.h"
#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/misuse.h"
#include "runtime/model/mutex.h"

namespace fairlead::rt {
namespace {

bool Never(const Thread&) { return false; }

void Enqueue(Cond& cond, CondWaiter& waiter) {
  CondWaiter** link = &cond.first;
  while (*link != nullptr) link = &(*link)->next;
  *link = &waiter;
  ++cond.num_waiters;
}

void Dequeue(Cond& cond, CondWaiter& waiter) {
  for (CondWaiter** link = &cond.first; *link != nullptr;
       link = &(*link)->next) {
    if (*link != &waiter) continue;
    *link = waiter.next;
    --cond.num_waiters;
    return;
  }
}

void WakeOne(Thread& signaller, Cond& cond, CondWaiter& waiter) {
  Dequeue(cond, waiter);
  waiter.signaller = &signaller;
  gate().Replace(*waiter.thread,
                 WantMutex(EventKind::kWaitDone, *waiter.mutex));
}

}  // namespace

int WaitCond(Thread& thread, pthread_cond_t* cond, pthread_mutex_t* mutex,
             uint64_t deadline_ns, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kWait, .object = cond}, place);
  if (CancelIsDue(thread)) CancelSelf(thread);
  Cond& state = FindObject<Cond>(cond);
  Mutex& held = FindObject<Mutex>(mutex);
  if (held.owner != &thread) {
    ReportMisuse(thread, abi::Misuse::kWaitWithoutMutex, cond);
    if (held.owner == nullptr) TakeMutex(thread, held, 1);
  }
  emitter().Emit(thread, EventKind::kWait, abi::kFlagPoint, cond, 0,
                 {EventKind::kExtPartner, reinterpret_cast<uint64_t>(mutex),
                  static_cast<uint64_t>(thread.tid)});
  const uint32_t depth = ReleaseMutex(thread, held);
  CondWaiter waiter = {&thread, &held, nullptr, nullptr};
  Enqueue(state, waiter);
  const bool spurious = PlanAsks(abi::kPlanSpurious) &&
                        gate().Choose(thread, EventKind::kWait, 2) == 1;
  const Wake wake = ArriveCancelable(thread,
                                     {.op = EventKind::kWait,
                                      .object = cond,
                                      .ready = spurious ? nullptr : Never,
                                      .deadline_ns = deadline_ns},
                                     place);
  const bool signalled = waiter.signaller != nullptr;
  const bool timed_out = !signalled && wake == Wake::kTimedOut;
  if (!signalled) {
    Dequeue(state, waiter);
    gate().Arrive(thread, WantMutex(EventKind::kWaitDone, held), place);
  }
  TakeMutex(thread, held, depth);
  if (signalled) {
    emitter().EmitWake(thread, EventKind::kWakeSignal, cond, *waiter.signaller);
  }
  uint16_t flags = abi::kFlagPoint;
  if (timed_out) flags |= abi::kFlagTimedOut;
  if (!signalled && !timed_out) flags |= abi::kFlagSpurious;
  emitter().Emit(thread, EventKind::kWaitDone, flags, cond, 0,
                 {EventKind::kExtPartner, reinterpret_cast<uint64_t>(mutex),
                  static_cast<uint64_t>(thread.tid)});
  if (wake == Wake::kCanceled) CancelSelf(thread);
  return timed_out ? ETIMEDOUT : 0;
}

int SignalCond(Thread& thread, pthread_cond_t* cond, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kSignal, .object = cond}, place);
  Cond& state = FindObject<Cond>(cond);
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
  Cond& state = FindObject<Cond>(cond);
  const uint32_t waiters = state.num_waiters;
  while (state.first != nullptr) WakeOne(thread, state, *state.first);
  gate().Progressed(thread);
  emitter().Emit(thread, EventKind::kBroadcast, abi::kFlagPoint, cond, waiters);
  return 0;
}

void InitCond(Thread& thread, pthread_cond_t* cond, const Place& place) {
  thread.place = place;
  RenewObject<Cond>(cond);
  emitter().Emit(thread, EventKind::kInit, 0, cond, 0);
}

int DestroyCond(Thread& thread, pthread_cond_t* cond, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kDestroy, .object = cond}, place);
  const Cond& state = FindObject<Cond>(cond);
  if (state.num_waiters != 0) {
    ReportMisuse(thread, abi::Misuse::kDestroyWaited, cond);
    return 0;  // glibc would wait here; the waiters keep their state
  }
  emitter().Emit(thread, EventKind::kDestroy, abi::kFlagPoint, cond, 0);
  EndObject(cond);
  return 0;
}

}  // namespace fairlead::rt
