#include "runtime/model/cancel.h"

#include <errno.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/threads.h"

namespace fairlead::rt {
namespace {

// After a change of state or type: acts on an asynchronous request.
void Settle(Thread& thread, const Place& place) {
  thread.leave.due = CancelIsDue(thread) && thread.leave.asynchronous;
  if (!thread.leave.due) return;
  thread.place = place;
  CancelSelf(thread);
}

}  // namespace

Wake ArriveCancelable(Thread& thread, Intent intent, const Place& place) {
  if (CancelIsDue(thread)) {
    thread.place = place;
    return Wake::kCanceled;
  }
  intent.cancelable = MayBeCanceled(thread);
  return gate().Arrive(thread, intent, place);
}

void ArriveToUnlock(Thread& thread, const Intent& intent, const Place& place) {
  gate().Arrive(thread, intent, place);
  if (thread.leave.due) [[unlikely]]
    CancelSelf(thread);
}

void CancelSelf(Thread& thread) {
  emitter().EmitWake(thread, EventKind::kWakeCancel, nullptr,
                     thread.leave.canceled);
  emitter().Emit(thread, EventKind::kCanceled, 0, nullptr,
                 static_cast<uint64_t>(thread.leave.canceled.thread->tid));
  ExitThread(thread, PTHREAD_CANCELED);
}

int CancelThread(Thread& thread, pthread_t handle, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kCancel, .object = nullptr}, place);
  Thread* target = FindThread(handle);
  if (target == nullptr || target->reclaimed) return ESRCH;
  emitter().Emit(thread, EventKind::kCancel, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(target->tid));
  if (target->state == ThreadState::kEnded) return 0;
  if (!target->leave.pending) {
    target->leave.canceled = emitter().ByLastEvent(thread);
  }
  target->leave.pending = true;
  gate().Progressed(thread);
  if (target == &thread) {
    Settle(thread, place);
    return 0;
  }
  target->leave.due = CancelIsDue(*target) && target->leave.asynchronous;
  if (target->intent.cancelable && target->wake == Wake::kReady) {
    gate().Interrupt(*target, Wake::kCanceled);
  }
  return 0;
}

void TestCancel(Thread& thread, const Place& place) {
  // A loop that only tests lets others run.
  if (thread.spin.Saw(static_cast<uint64_t>(place.anchor), 0, 0)) {
    gate().Yielded(thread);
  }
  gate().Arrive(thread, {.op = EventKind::kYield, .object = nullptr}, place);
  if (CancelIsDue(thread)) CancelSelf(thread);
}

int SetCancelState(Thread& thread, int state, int* old, const Place& place) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) {
    return EINVAL;
  }
  if (old != nullptr) {
    *old =
        thread.leave.disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  }
  thread.leave.disabled = state == PTHREAD_CANCEL_DISABLE;
  Settle(thread, place);
  return 0;
}

int SetCancelType(Thread& thread, int type, int* old, const Place& place) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) {
    return EINVAL;
  }
  if (old != nullptr) {
    *old = thread.leave.asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS
                                     : PTHREAD_CANCEL_DEFERRED;
  }
  thread.leave.asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  Settle(thread, place);
  return 0;
}

}  // namespace fairlead::rt
