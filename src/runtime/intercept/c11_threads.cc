// runtime/intercept/c11_threads.cc
//
// thrd_* of C11, which glibc exports as entry points of their own. The rules
// all hooks obey are in runtime/README.md.

#include "runtime/gate/hook.h"
#include "runtime/intercept/c11.h"
#include "runtime/model/deadline.h"
#include "runtime/model/sleep.h"
#include "runtime/model/threads.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

// A start routine of C11 returns an int, in the low half of the register where
// one of POSIX returns a pointer: thrd_join looks at that half alone.
using PosixStart = void* (*)(void*);
PosixStart ToPosixStart(thrd_start_t start) {
  return reinterpret_cast<PosixStart>(reinterpret_cast<void*>(start));
}

void* ToResult(int result) {
  return reinterpret_cast<void*>(static_cast<intptr_t>(result));
}

int FromResult(void* result) {
  return static_cast<int>(reinterpret_cast<intptr_t>(result));
}

}  // namespace

extern "C" FL_HOOK int thrd_create(thrd_t* handle, thrd_start_t start,
                                   void* argument) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().thrd_create(handle, start, argument);
  return ToC11(CreateThread(hook.thread(), handle, nullptr, ToPosixStart(start),
                            argument, hook.place()));
}

extern "C" FL_HOOK int thrd_join(thrd_t handle, int* result) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().thrd_join(handle, result);
  void* returned = nullptr;
  const int error =
      JoinThread(hook.thread(), handle, &returned, kNoDeadline, hook.place());
  if (error == 0 && result != nullptr) *result = FromResult(returned);
  return ToC11(error);
}

extern "C" FL_HOOK int thrd_detach(thrd_t handle) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().thrd_detach(handle);
  return ToC11(DetachThread(hook.thread(), handle, hook.place()));
}

extern "C" FL_HOOK void thrd_exit(int result) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) real().thrd_exit(result);
  ExitThread(hook.thread(), ToResult(result));
}

extern "C" FL_HOOK void thrd_yield() {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().thrd_yield();
  Yield(hook.thread(), hook.place());
}

extern "C" FL_HOOK int thrd_sleep(const timespec* time, timespec* left) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().thrd_sleep(time, left);
  const uint64_t ns = DurationOf(time);
  if (ns == kBadDeadline || time->tv_sec < 0) return -2;
  SleepFor(hook.thread(), ns, hook.place());
  return 0;
}
