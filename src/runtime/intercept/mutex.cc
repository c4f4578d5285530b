// runtime/intercept/mutex.cc
//
// pthread_mutex_*. The rules all hooks obey are in runtime/README.md.

#include "runtime/model/mutex.h"

#include <errno.h>

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int pthread_mutex_init(pthread_mutex_t* mutex,
                                          const pthread_mutexattr_t* attr) {
  HookScope hook(FL_CALLER);
  const int error = real().pthread_mutex_init(mutex, attr);
  if (hook.controlled() && error == 0) {
    InitMutex(hook.thread(), mutex, attr, hook.place());
  }
  return error;
}

extern "C" FL_HOOK int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_mutex_destroy(mutex);
  return DestroyMutex(hook.thread(), mutex, hook.place());
}

extern "C" FL_HOOK int pthread_mutex_lock(pthread_mutex_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_mutex_lock(mutex);
  return LockMutex(hook.thread(), mutex, hook.place());
}

extern "C" FL_HOOK int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_mutex_trylock(mutex);
  return TryLockMutex(hook.thread(), mutex, hook.place());
}

extern "C" FL_HOOK int pthread_mutex_timedlock(pthread_mutex_t* mutex,
                                               const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_mutex_timedlock(mutex, when);
  return TimedLockMutex(hook.thread(), mutex, {CLOCK_REALTIME, when},
                        hook.place());
}

extern "C" FL_HOOK int pthread_mutex_clocklock(pthread_mutex_t* mutex,
                                               clockid_t clock,
                                               const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_mutex_clocklock(mutex, clock, when);
  }
  if (!IsWaitClock(clock)) return EINVAL;
  return TimedLockMutex(hook.thread(), mutex, {clock, when}, hook.place());
}

extern "C" FL_HOOK int pthread_mutex_consistent(pthread_mutex_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_mutex_consistent(mutex);
  return MakeMutexConsistent(hook.thread(), mutex, hook.place());
}

extern "C" FL_HOOK int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_mutex_unlock(mutex);
  return UnlockMutex(hook.thread(), mutex, hook.place());
}

// Names that old programs use.
FL_HOOK_ALIAS(__pthread_mutex_init, pthread_mutex_init);
FL_HOOK_ALIAS(__pthread_mutex_destroy, pthread_mutex_destroy);
FL_HOOK_ALIAS(__pthread_mutex_lock, pthread_mutex_lock);
FL_HOOK_ALIAS(__pthread_mutex_trylock, pthread_mutex_trylock);
FL_HOOK_ALIAS(__pthread_mutex_unlock, pthread_mutex_unlock);
