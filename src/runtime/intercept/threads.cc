// runtime/intercept/threads.cc
//
// pthread_create and its relatives. The rules all hooks obey are in
// runtime/README.md.

#include "runtime/model/threads.h"

#include "runtime/company/sanitizer.h"
#include "runtime/gate/hook.h"
#include "runtime/model/deadline.h"
#include "runtime/sys/page.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int pthread_create(pthread_t* handle,
                                      const pthread_attr_t* attr,
                                      void* (*start)(void*), void* argument) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    TellParent(abi::Uncontrolled::kChildProgram);
    return real().pthread_create(handle, attr, start, argument);
  }
  const QuietWhileSanitizerLocks quiet(hook.thread());
  return CreateThread(hook.thread(), handle, attr, start, argument,
                      hook.place());
}

extern "C" FL_HOOK int pthread_join(pthread_t handle, void** result) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_join(handle, result);
  return JoinThread(hook.thread(), handle, result, kNoDeadline, hook.place());
}

extern "C" FL_HOOK int pthread_tryjoin_np(pthread_t handle, void** result) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_tryjoin_np(handle, result);
  return TryJoinThread(hook.thread(), handle, result, hook.place());
}

extern "C" FL_HOOK int pthread_timedjoin_np(pthread_t handle, void** result,
                                            const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_timedjoin_np(handle, result, when);
  }
  const uint64_t deadline = DeadlineOf({CLOCK_REALTIME, when});
  if (deadline == kBadDeadline) return EINVAL;
  return JoinThread(hook.thread(), handle, result, deadline, hook.place());
}

extern "C" FL_HOOK int pthread_clockjoin_np(pthread_t handle, void** result,
                                            clockid_t clock,
                                            const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_clockjoin_np(handle, result, clock, when);
  }
  if (!IsWaitClock(clock)) return EINVAL;
  const uint64_t deadline = DeadlineOf({clock, when});
  if (deadline == kBadDeadline) return EINVAL;
  return JoinThread(hook.thread(), handle, result, deadline, hook.place());
}

extern "C" FL_HOOK void pthread_exit(void* result) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) real().pthread_exit(result);
  ExitThread(hook.thread(), result);
}

extern "C" FL_HOOK int pthread_detach(pthread_t handle) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_detach(handle);
  const QuietWhileSanitizerLocks quiet(hook.thread());
  return DetachThread(hook.thread(), handle, hook.place());
}
