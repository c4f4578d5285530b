// runtime/intercept/once.cc
//
// pthread_once. The rules all hooks obey are in runtime/README.md.

#include "runtime/model/once.h"

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int pthread_once(pthread_once_t* control,
                                    void (*routine)()) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_once(control, routine);
  return CallOnce(hook.thread(), control, routine, hook.place());
}

// Names that old programs use.
FL_HOOK_ALIAS(__pthread_once, pthread_once);
