// runtime/intercept/spinlock.cc
//
// pthread_spin_*. The rules all hooks obey are in runtime/README.md.

#include "runtime/model/spinlock.h"

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int pthread_spin_init(pthread_spinlock_t* lock,
                                         int shared) noexcept {
  HookScope hook(FL_CALLER);
  const int error = real().pthread_spin_init(lock, shared);
  if (hook.controlled() && error == 0) {
    InitSpinlock(hook.thread(), lock, shared, hook.place());
  }
  return error;
}

extern "C" FL_HOOK int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_spin_destroy(lock);
  return DestroySpinlock(hook.thread(), lock, hook.place());
}

extern "C" FL_HOOK int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_spin_lock(lock);
  return LockSpinlock(hook.thread(), lock, hook.place());
}

extern "C" FL_HOOK int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_spin_trylock(lock);
  return TryLockSpinlock(hook.thread(), lock, hook.place());
}

extern "C" FL_HOOK int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_spin_unlock(lock);
  return UnlockSpinlock(hook.thread(), lock, hook.place());
}
