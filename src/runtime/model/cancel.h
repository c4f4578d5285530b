// runtime/model/cancel.h
//
// Thread cancellation. A request stays pending until its target comes to a
// cancellation point with cancellation enabled; a target that waits at one is
// woken. Models of blocking functions that are cancellation points wait so:
//
//   if (ArriveCancelable(thread, intent, place) == Wake::kCanceled) {
//     ... undo: leave the queue, take the mutex back ...
//     CancelSelf(thread);
//   }
//
// Asynchronous cancellation happens when the target enters the next hook, or
// comes back from the point ahead of an access or of giving a lock back.
// Unsound: never elsewhere, nor while it waits for a mutex.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_CANCEL_H_
#define FAIRLEAD_RUNTIME_MODEL_CANCEL_H_

#include <pthread.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Whether `thread` has been asked to leave and may be.
inline bool CancelIsDue(const Thread& thread) {
  return thread.leave.pending && !thread.leave.disabled &&
         !thread.leave.leaving;
}

// Whether a wait that begins now is one that a cancellation may end: for
// Intent::cancelable.
inline bool MayBeCanceled(const Thread& thread) {
  return !thread.leave.disabled && !thread.leave.leaving;
}

// Gate::Arrive for a cancellation point. kCanceled at once, without a point,
// when a request is pending.
Wake ArriveCancelable(Thread& thread, Intent intent, const Place& place);

// Gate::Arrive ahead of giving a lock back: whoever is cancelled asynchronously
// there still has it.
void ArriveToUnlock(Thread& thread, const Intent& intent, const Place& place);

// Ends the calling thread as cancelled; its place is where it was. The model
// has put everything in order.
[[noreturn]] void CancelSelf(Thread& thread);

// pthread_cancel. Does not return when a thread cancels itself at once.
int CancelThread(Thread& thread, pthread_t handle, const Place& place);

// pthread_testcancel.
void TestCancel(Thread& thread, const Place& place);

// pthread_setcancelstate and pthread_setcanceltype. `old` may be null.
int SetCancelState(Thread& thread, int state, int* old, const Place& place);
int SetCancelType(Thread& thread, int type, int* old, const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_CANCEL_H_
