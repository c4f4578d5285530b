// runtime/intercept/rwlock.cc
//
// pthread_rwlock_*. The rules all hooks obey are in runtime/README.md.

#include "runtime/model/rwlock.h"

#include <errno.h>

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int pthread_rwlock_init(
    pthread_rwlock_t* lock, const pthread_rwlockattr_t* attr) noexcept {
  HookScope hook(FL_CALLER);
  const int error = real().pthread_rwlock_init(lock, attr);
  if (hook.controlled() && error == 0) {
    InitRwlock(hook.thread(), lock, hook.place());
  }
  return error;
}

extern "C" FL_HOOK int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_rwlock_destroy(lock);
  return DestroyRwlock(hook.thread(), lock, hook.place());
}

extern "C" FL_HOOK int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_rwlock_rdlock(lock);
  return LockRwlock(hook.thread(), lock, LockMode::kRead, Until(),
                    hook.place());
}

extern "C" FL_HOOK int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_rwlock_wrlock(lock);
  return LockRwlock(hook.thread(), lock, LockMode::kWrite, Until(),
                    hook.place());
}

extern "C" FL_HOOK int pthread_rwlock_tryrdlock(
    pthread_rwlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_rwlock_tryrdlock(lock);
  return TryLockRwlock(hook.thread(), lock, LockMode::kRead, hook.place());
}

extern "C" FL_HOOK int pthread_rwlock_trywrlock(
    pthread_rwlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_rwlock_trywrlock(lock);
  return TryLockRwlock(hook.thread(), lock, LockMode::kWrite, hook.place());
}

extern "C" FL_HOOK int pthread_rwlock_timedrdlock(
    pthread_rwlock_t* lock, const timespec* when) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_rwlock_timedrdlock(lock, when);
  return LockRwlock(hook.thread(), lock, LockMode::kRead,
                    {CLOCK_REALTIME, when}, hook.place());
}

extern "C" FL_HOOK int pthread_rwlock_timedwrlock(
    pthread_rwlock_t* lock, const timespec* when) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_rwlock_timedwrlock(lock, when);
  return LockRwlock(hook.thread(), lock, LockMode::kWrite,
                    {CLOCK_REALTIME, when}, hook.place());
}

extern "C" FL_HOOK int pthread_rwlock_clockrdlock(
    pthread_rwlock_t* lock, clockid_t clock, const timespec* when) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_rwlock_clockrdlock(lock, clock, when);
  }
  if (!IsWaitClock(clock)) return EINVAL;
  return LockRwlock(hook.thread(), lock, LockMode::kRead, {clock, when},
                    hook.place());
}

extern "C" FL_HOOK int pthread_rwlock_clockwrlock(
    pthread_rwlock_t* lock, clockid_t clock, const timespec* when) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_rwlock_clockwrlock(lock, clock, when);
  }
  if (!IsWaitClock(clock)) return EINVAL;
  return LockRwlock(hook.thread(), lock, LockMode::kWrite, {clock, when},
                    hook.place());
}

extern "C" FL_HOOK int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_rwlock_unlock(lock);
  return UnlockRwlock(hook.thread(), lock, hook.place());
}

// Names that old programs use.
FL_HOOK_ALIAS(__pthread_rwlock_init, pthread_rwlock_init);
FL_HOOK_ALIAS(__pthread_rwlock_destroy, pthread_rwlock_destroy);
FL_HOOK_ALIAS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock);
FL_HOOK_ALIAS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock);
FL_HOOK_ALIAS(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock);
FL_HOOK_ALIAS(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock);
FL_HOOK_ALIAS(__pthread_rwlock_unlock, pthread_rwlock_unlock);
