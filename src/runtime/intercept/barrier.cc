// runtime/intercept/barrier.cc
//
// pthread_barrier_*. The rules all hooks obey are in runtime/README.md.

#include "runtime/model/barrier.h"

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int pthread_barrier_init(pthread_barrier_t* barrier,
                                            const pthread_barrierattr_t* attr,
                                            unsigned count) noexcept {
  HookScope hook(FL_CALLER);
  const int error = real().pthread_barrier_init(barrier, attr, count);
  if (hook.controlled()) {
    InitBarrier(hook.thread(), barrier, count, error, hook.place());
  }
  return error;
}

extern "C" FL_HOOK int pthread_barrier_destroy(
    pthread_barrier_t* barrier) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_barrier_destroy(barrier);
  return DestroyBarrier(hook.thread(), barrier, hook.place());
}

extern "C" FL_HOOK int pthread_barrier_wait(
    pthread_barrier_t* barrier) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_barrier_wait(barrier);
  return WaitBarrier(hook.thread(), barrier, hook.place());
}
