// runtime/model/cond.h
//
// pthread_cond_t: who waits, in order of arrival. A signal turns the wait of
// one waiter into the wish to have its mutex back; which waiter is a choice,
// the first by default. A wait may end without a signal when the plan asks for
// spurious wake-ups (again a choice), or by its deadline (model/deadline.h).
//
// The number of waiters is also written where glibc counts them, so that a
// condition variable without them in memory has been initialised anew.
//
// One that is shared with other processes is not modelled: its wait gives the
// mutex up, lets others run, takes the mutex again and returns, as a spurious
// wake-up, which every caller must expect.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_COND_H_
#define FAIRLEAD_RUNTIME_MODEL_COND_H_

#include <pthread.h>

#include "runtime/model/deadline.h"
#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct Mutex;

// On the stack of a waiting thread.
struct CondWaiter {
  Thread* thread;
  Mutex* mutex;
  Cause signalled;   // no thread = not signalled
  CondWaiter* next;  // arrived later
};

struct Cond : Object {
  static constexpr ObjectKind kKind = ObjectKind::kCond;
  CondWaiter* first;
  uint32_t num_waiters;
};

// Returns 0, ETIMEDOUT, or what giving up or taking the mutex failed with. The
// clock of `until` counts only if `clock` says so.
enum class WaitClock { kOfCond, kGiven };
int WaitCond(Thread& thread, pthread_cond_t* cond, pthread_mutex_t* mutex,
             Until until, WaitClock clock, const Place& place);
int SignalCond(Thread& thread, pthread_cond_t* cond, const Place& place);
int BroadcastCond(Thread& thread, pthread_cond_t* cond, const Place& place);
// The real function has filled *cond.
void InitCond(Thread& thread, pthread_cond_t* cond, const Place& place);
int DestroyCond(Thread& thread, pthread_cond_t* cond, const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_COND_H_
