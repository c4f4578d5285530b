// runtime/intercept/keys.cc
//
// pthread_key_create and pthread_key_delete, which always go through to libc.
// The rules all hooks obey are in runtime/README.md.

#include "runtime/model/keys.h"

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int pthread_key_create(pthread_key_t* key,
                                          void (*destructor)(void*)) noexcept {
  HookScope hook(FL_CALLER);
  const int error = real().pthread_key_create(key, destructor);
  if (error == 0) RememberKey(*key, destructor);
  return error;
}

extern "C" FL_HOOK int pthread_key_delete(pthread_key_t key) noexcept {
  HookScope hook(FL_CALLER);
  const int error = real().pthread_key_delete(key);
  if (error == 0) ForgetKey(key);
  return error;
}

// libstdc++ refers to libc's other name for it.
FL_HOOK_ALIAS(__pthread_key_create, pthread_key_create);
