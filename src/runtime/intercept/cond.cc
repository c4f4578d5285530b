// runtime/intercept/cond.cc
//
// pthread_cond_*. The rules all hooks obey are in runtime/README.md.

#include "runtime/model/cond.h"

#include "runtime/gate/hook.h"
#include "runtime/model/deadline.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int pthread_cond_init(pthread_cond_t* cond,
                                         const pthread_condattr_t* attr) {
  HookScope hook(FL_CALLER);
  const int error = real().pthread_cond_init(cond, attr);
  if (hook.controlled() && error == 0) {
    InitCond(hook.thread(), cond, hook.place());
  }
  return error;
}

extern "C" FL_HOOK int pthread_cond_destroy(pthread_cond_t* cond) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_cond_destroy(cond);
  return DestroyCond(hook.thread(), cond, hook.place());
}

extern "C" FL_HOOK int pthread_cond_wait(pthread_cond_t* cond,
                                         pthread_mutex_t* mutex) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_cond_wait(cond, mutex);
  return WaitCond(hook.thread(), cond, mutex, Until(), WaitClock::kGiven,
                  hook.place());
}

extern "C" FL_HOOK int pthread_cond_timedwait(pthread_cond_t* cond,
                                              pthread_mutex_t* mutex,
                                              const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_cond_timedwait(cond, mutex, when);
  }
  return WaitCond(hook.thread(), cond, mutex, {CLOCK_REALTIME, when},
                  WaitClock::kOfCond, hook.place());
}

extern "C" FL_HOOK int pthread_cond_clockwait(pthread_cond_t* cond,
                                              pthread_mutex_t* mutex,
                                              clockid_t clock,
                                              const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_cond_clockwait(cond, mutex, clock, when);
  }
  if (!IsWaitClock(clock)) return EINVAL;
  return WaitCond(hook.thread(), cond, mutex, {clock, when}, WaitClock::kGiven,
                  hook.place());
}

extern "C" FL_HOOK int pthread_cond_signal(pthread_cond_t* cond) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_cond_signal(cond);
  return SignalCond(hook.thread(), cond, hook.place());
}

extern "C" FL_HOOK int pthread_cond_broadcast(pthread_cond_t* cond) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_cond_broadcast(cond);
  return BroadcastCond(hook.thread(), cond, hook.place());
}
