// runtime/intercept/thread_settings.cc
//
// pthread_setname_np and other settings of threads. The rules all hooks obey
// are in runtime/README.md.

#include "runtime/model/thread_settings.h"

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK pid_t gettid() noexcept {
  HookScope hook(FL_CALLER);
  return hook.controlled() ? NumberOf(hook.thread()) : real().gettid();
}

extern "C" FL_HOOK int pthread_setname_np(pthread_t handle, const char* name) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_setname_np(handle, name);
  return SetName(hook.thread(), handle, name, hook.place());
}

extern "C" FL_HOOK int pthread_getname_np(pthread_t handle, char* buffer,
                                          size_t bytes) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_getname_np(handle, buffer, bytes);
  }
  return GetName(handle, buffer, bytes);
}

extern "C" FL_HOOK int pthread_getattr_np(pthread_t handle,
                                          pthread_attr_t* attr) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_getattr_np(handle, attr);
  return GetAttributes(handle, attr);
}

extern "C" FL_HOOK int pthread_setaffinity_np(pthread_t handle, size_t bytes,
                                              const cpu_set_t* set) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_setaffinity_np(handle, bytes, set);
  }
  return SetAffinity(handle, bytes, set);
}

extern "C" FL_HOOK int pthread_getaffinity_np(pthread_t handle, size_t bytes,
                                              cpu_set_t* set) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_getaffinity_np(handle, bytes, set);
  }
  return GetAffinity(handle, bytes, set);
}

extern "C" FL_HOOK int pthread_setschedparam(pthread_t handle, int policy,
                                             const sched_param* param) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_setschedparam(handle, policy, param);
  }
  return SetScheduling(handle, policy, param);
}

extern "C" FL_HOOK int pthread_getschedparam(pthread_t handle, int* policy,
                                             sched_param* param) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pthread_getschedparam(handle, policy, param);
  }
  return GetScheduling(handle, policy, param);
}
