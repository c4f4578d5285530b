// runtime/intercept/semaphore.cc
//
// sem_*. The rules all hooks obey are in runtime/README.md.

#include "runtime/model/semaphore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#include "runtime/gate/hook.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

int Finish(HookScope& hook, int error) {
  return error == 0 ? 0 : hook.Fail(error);
}

}  // namespace

extern "C" FL_HOOK int sem_init(sem_t* semaphore, int shared,
                                unsigned value) noexcept {
  HookScope hook(FL_CALLER);
  if (real().sem_init(semaphore, shared, value) != 0) return hook.Fail(errno);
  if (hook.controlled()) InitSemaphore(hook.thread(), semaphore, hook.place());
  return 0;
}

extern "C" FL_HOOK int sem_destroy(sem_t* semaphore) noexcept {
  HookScope hook(FL_CALLER);
  if (hook.controlled()) {
    DestroySemaphore(hook.thread(), semaphore, hook.place());
  }
  return real().sem_destroy(semaphore);
}

extern "C" FL_HOOK sem_t* sem_open(const char* name, int flags, ...) noexcept {
  HookScope hook(FL_CALLER);
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  const auto value = (flags & O_CREAT) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  if (!hook.controlled()) return real().sem_open(name, flags, mode, value);
  Opened how = Opened::kCreated;
  sem_t* semaphore = SEM_FAILED;
  // Exclusively first, to learn whether it was there before.
  if ((flags & O_CREAT) != 0) {
    semaphore = real().sem_open(name, flags | O_EXCL, mode, value);
  }
  if (semaphore == SEM_FAILED && (flags & O_EXCL) == 0) {
    how = Opened::kFound;
    semaphore = real().sem_open(name, flags, mode, value);
  }
  if (semaphore == SEM_FAILED) {
    hook.Fail(errno);
    return SEM_FAILED;
  }
  OpenSemaphore(hook.thread(), semaphore, how, hook.place());
  return semaphore;
}

extern "C" FL_HOOK int sem_close(sem_t* semaphore) noexcept {
  HookScope hook(FL_CALLER);
  if (real().sem_close(semaphore) != 0) return hook.Fail(errno);
  return 0;
}

extern "C" FL_HOOK int sem_unlink(const char* name) noexcept {
  HookScope hook(FL_CALLER);
  if (real().sem_unlink(name) != 0) return hook.Fail(errno);
  return 0;
}

extern "C" FL_HOOK int sem_wait(sem_t* semaphore) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sem_wait(semaphore);
  return Finish(hook,
                WaitSemaphore(hook.thread(), semaphore, Until(), hook.place()));
}

extern "C" FL_HOOK int sem_timedwait(sem_t* semaphore, const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sem_timedwait(semaphore, when);
  return Finish(hook, WaitSemaphore(hook.thread(), semaphore,
                                    {CLOCK_REALTIME, when}, hook.place()));
}

extern "C" FL_HOOK int sem_clockwait(sem_t* semaphore, clockid_t clock,
                                     const timespec* when) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sem_clockwait(semaphore, clock, when);
  if (!IsWaitClock(clock)) return hook.Fail(EINVAL);
  return Finish(hook, WaitSemaphore(hook.thread(), semaphore, {clock, when},
                                    hook.place()));
}

extern "C" FL_HOOK int sem_trywait(sem_t* semaphore) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sem_trywait(semaphore);
  return Finish(hook, TryWaitSemaphore(hook.thread(), semaphore, hook.place()));
}

extern "C" FL_HOOK int sem_post(sem_t* semaphore) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sem_post(semaphore);
  return Finish(hook, PostSemaphore(hook.thread(), semaphore, hook.place()));
}

extern "C" FL_HOOK int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sem_getvalue(semaphore, value);
  return Finish(
      hook, GetSemaphoreValue(hook.thread(), semaphore, value, hook.place()));
}
