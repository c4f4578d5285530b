// runtime/intercept/c11_storage.cc
//
// call_once and tss_* of C11, which glibc exports as entry points of their own.
// Values themselves stay with libc, as those of pthread keys do. The rules all
// hooks obey are in runtime/README.md.

#include "runtime/gate/hook.h"
#include "runtime/intercept/c11.h"
#include "runtime/model/keys.h"
#include "runtime/model/once.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK void call_once(once_flag* flag, void (*routine)()) {
  static_assert(sizeof(once_flag) == sizeof(pthread_once_t));
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().call_once(flag, routine);
  CallOnce(hook.thread(), reinterpret_cast<pthread_once_t*>(flag), routine,
           hook.place());
}

extern "C" FL_HOOK int tss_create(tss_t* key, tss_dtor_t destructor) {
  HookScope hook(FL_CALLER);
  const int result = real().tss_create(key, destructor);
  if (result == thrd_success) RememberKey(*key, destructor);
  return result;
}

extern "C" FL_HOOK void tss_delete(tss_t key) {
  HookScope hook(FL_CALLER);
  real().tss_delete(key);
  ForgetKey(key);
}
