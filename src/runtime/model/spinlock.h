// runtime/model/spinlock.h
//
// pthread_spinlock_t: who owns it. A thread that would spin waits instead. The
// lock word itself is kept by the real functions.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_SPINLOCK_H_
#define FAIRLEAD_RUNTIME_MODEL_SPINLOCK_H_

#include <pthread.h>

#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct Spinlock : Object {
  static constexpr ObjectKind kKind = ObjectKind::kSpinlock;
  Thread* owner;   // null = free
  Cause released;  // the last time
  bool shared;     // with other processes: tried (model/shared.h)
};

int LockSpinlock(Thread& thread, pthread_spinlock_t* lock, const Place& place);
int TryLockSpinlock(Thread& thread, pthread_spinlock_t* lock,
                    const Place& place);
int UnlockSpinlock(Thread& thread, pthread_spinlock_t* lock,
                   const Place& place);
// The real function has set *lock.
void InitSpinlock(Thread& thread, pthread_spinlock_t* lock, int shared,
                  const Place& place);
int DestroySpinlock(Thread& thread, pthread_spinlock_t* lock,
                    const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_SPINLOCK_H_
