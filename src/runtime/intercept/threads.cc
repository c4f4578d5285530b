// runtime/intercept/threads.cc
//
// pthread_create and its relatives. The rules all hooks obey are in
// runtime/README.md.

#include "runtime/model/threads.h"

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/intercept/hook.h"
#include "runtime/intercept/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int pthread_create(pthread_t* handle,
                                      const pthread_attr_t* attr,
                                      void* (*start)(void*), void* argument) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_create(handle, attr, start, argument);
  }
  return CreateThread(hook.thread(), handle, attr, start, argument,
                      hook.place());
}

extern "C" FL_HOOK int pthread_join(pthread_t handle, void** result) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_join(handle, result);
  return JoinThread(hook.thread(), handle, result, kNoDeadline, hook.place());
}

extern "C" FL_HOOK int pthread_detach(pthread_t handle) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_detach(handle);
  return DetachThread(hook.thread(), handle, hook.place());
}

extern "C" FL_HOOK int sched_yield() {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sched_yield();
  Thread& thread = hook.thread();
  gate().Yielded(thread);
  gate().Arrive(thread, {.op = EventKind::kYield, .object = nullptr},
                hook.place());
  emitter().Emit(thread, EventKind::kYield, abi::kFlagPoint, nullptr, 0);
  return 0;
}
