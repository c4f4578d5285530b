// runtime/intercept/timers.cc
//
// timer_create for timers that call a function in a thread of its own: libc
// would make threads past our hooks. Everything else about timers are system
// calls (outside/timers.cc). The rules all hooks obey are in runtime/README.md.

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "runtime/gate/hook.h"
#include "runtime/model/clock.h"
#include "runtime/model/timer_threads.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int timer_create(clockid_t clock, sigevent* event,
                                    timer_t* made) noexcept {
  {
    HookScope hook(FL_CALLER);
    if (hook.controlled() && event != nullptr &&
        event->sigev_notify == SIGEV_THREAD && IsVirtual(clock)) {
      Timer* timer =
          MakeThreadTimer(hook.thread(), clock, event->sigev_notify_function,
                          event->sigev_value, hook.place());
      if (timer == nullptr) return hook.Fail(EAGAIN);
      // As libc has those of the kernel's.
      *made = reinterpret_cast<timer_t>(NumberOf(*timer));
      return 0;
    }
  }
  return real().timer_create(clock, event, made);
}
