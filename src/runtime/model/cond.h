// runtime/model/cond.h
//
// pthread_cond_t: who waits, in order of arrival. A signal turns the wait of
// one waiter into the wish to have its mutex back; which waiter is a choice,
// the first by default. A wait may end without a signal when the plan asks for
// spurious wake-ups (again a choice), or at its deadline.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_COND_H_
#define FAIRLEAD_RUNTIME_MODEL_COND_H_

#include <pthread.h>

#include "runtime/gate/thread.h"
#include "runtime/model/objects.h"

namespace fairlead::rt {

struct Mutex;

// On the stack of a waiting thread.
struct CondWaiter {
  Thread* thread;
  Mutex* mutex;
  Thread* signaller;  // null = not signalled
  CondWaiter* next;   // arrived later
};

struct Cond : Object {
  static constexpr ObjectKind kKind = ObjectKind::kCond;
  CondWaiter* first;
  uint32_t num_waiters;
};

// deadline_ns on the virtual clock. Returns 0, ETIMEDOUT or EPERM.
int WaitCond(Thread& thread, pthread_cond_t* cond, pthread_mutex_t* mutex,
             uint64_t deadline_ns, const Place& place);
int SignalCond(Thread& thread, pthread_cond_t* cond, const Place& place);
int BroadcastCond(Thread& thread, pthread_cond_t* cond, const Place& place);
void InitCond(Thread& thread, pthread_cond_t* cond, const Place& place);
int DestroyCond(Thread& thread, pthread_cond_t* cond, const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_COND_H_
