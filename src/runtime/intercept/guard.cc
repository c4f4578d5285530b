// runtime/intercept/guard.cc
//
// __cxa_guard_*, which compiled code calls around the initialisation of
// function-local statics. The rules all hooks obey are in runtime/README.md.

#include "runtime/model/guard.h"

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int __cxa_guard_acquire(uint64_t* guard) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().__cxa_guard_acquire(guard);
  return AcquireGuard(hook.thread(), guard, hook.place()) ? 1 : 0;
}

extern "C" FL_HOOK void __cxa_guard_release(uint64_t* guard) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().__cxa_guard_release(guard);
  FinishGuard(hook.thread(), guard, GuardEnd::kDone, hook.place());
}

extern "C" FL_HOOK void __cxa_guard_abort(uint64_t* guard) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().__cxa_guard_abort(guard);
  FinishGuard(hook.thread(), guard, GuardEnd::kAborted, hook.place());
}
