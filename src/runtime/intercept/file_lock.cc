// runtime/intercept/file_lock.cc
//
// flockfile and its relatives. The rules all hooks obey are in
// runtime/README.md.

#include "runtime/model/file_lock.h"

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK void flockfile(FILE* file) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().flockfile(file);
  LockFile(hook.thread(), file, hook.place());
}

extern "C" FL_HOOK int ftrylockfile(FILE* file) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().ftrylockfile(file);
  return TryLockFile(hook.thread(), file, hook.place());
}

extern "C" FL_HOOK void funlockfile(FILE* file) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().funlockfile(file);
  UnlockFile(hook.thread(), file, hook.place());
}

// Names that old programs use.
FL_HOOK_ALIAS(_IO_flockfile, flockfile);
FL_HOOK_ALIAS(_IO_ftrylockfile, ftrylockfile);
FL_HOOK_ALIAS(_IO_funlockfile, funlockfile);
