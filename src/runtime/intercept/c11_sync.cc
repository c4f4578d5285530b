// runtime/intercept/c11_sync.cc
//
// mtx_* and cnd_* of C11, which glibc exports as entry points of their own. The
// rules all hooks obey are in runtime/README.md.

#include "runtime/gate/hook.h"
#include "runtime/intercept/c11.h"
#include "runtime/model/cond.h"
#include "runtime/model/deadline.h"
#include "runtime/model/mutex.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int mtx_init(mtx_t* mutex, int type) {
  HookScope hook(FL_CALLER);
  const int result = real().mtx_init(mutex, type);
  if (hook.controlled() && result == thrd_success) {
    InitMutex(hook.thread(), ToPosix(mutex), nullptr, hook.place());
  }
  return result;
}

extern "C" FL_HOOK void mtx_destroy(mtx_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().mtx_destroy(mutex);
  DestroyMutex(hook.thread(), ToPosix(mutex), hook.place());
}

extern "C" FL_HOOK int mtx_lock(mtx_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().mtx_lock(mutex);
  return ToC11(LockMutex(hook.thread(), ToPosix(mutex), hook.place()));
}

extern "C" FL_HOOK int mtx_timedlock(mtx_t* mutex, const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().mtx_timedlock(mutex, when);
  return ToC11(TimedLockMutex(hook.thread(), ToPosix(mutex),
                              {CLOCK_REALTIME, when}, hook.place()));
}

extern "C" FL_HOOK int mtx_trylock(mtx_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().mtx_trylock(mutex);
  return ToC11(TryLockMutex(hook.thread(), ToPosix(mutex), hook.place()));
}

extern "C" FL_HOOK int mtx_unlock(mtx_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().mtx_unlock(mutex);
  return ToC11(UnlockMutex(hook.thread(), ToPosix(mutex), hook.place()));
}

extern "C" FL_HOOK int cnd_init(cnd_t* cond) {
  HookScope hook(FL_CALLER);
  const int result = real().cnd_init(cond);
  if (hook.controlled() && result == thrd_success) {
    InitCond(hook.thread(), ToPosix(cond), hook.place());
  }
  return result;
}

extern "C" FL_HOOK void cnd_destroy(cnd_t* cond) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().cnd_destroy(cond);
  DestroyCond(hook.thread(), ToPosix(cond), hook.place());
}

extern "C" FL_HOOK int cnd_wait(cnd_t* cond, mtx_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().cnd_wait(cond, mutex);
  return ToC11(WaitCond(hook.thread(), ToPosix(cond), ToPosix(mutex), {},
                        WaitClock::kOfCond, hook.place()));
}

extern "C" FL_HOOK int cnd_timedwait(cnd_t* cond, mtx_t* mutex,
                                     const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().cnd_timedwait(cond, mutex, when);
  return ToC11(WaitCond(hook.thread(), ToPosix(cond), ToPosix(mutex),
                        {CLOCK_REALTIME, when}, WaitClock::kOfCond,
                        hook.place()));
}

extern "C" FL_HOOK int cnd_signal(cnd_t* cond) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().cnd_signal(cond);
  return ToC11(SignalCond(hook.thread(), ToPosix(cond), hook.place()));
}

extern "C" FL_HOOK int cnd_broadcast(cnd_t* cond) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().cnd_broadcast(cond);
  return ToC11(BroadcastCond(hook.thread(), ToPosix(cond), hook.place()));
}
