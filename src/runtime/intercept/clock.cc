// runtime/intercept/clock.cc
//
// Looking at clocks. The rules all hooks obey are in runtime/README.md.

#include <sys/time.h>
#include <time.h>

#include "runtime/gate/hook.h"
#include "runtime/model/clock.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!IsVirtual(clock) && !IsOfThread(clock)) {
    return real().clock_gettime(clock, time);
  }
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().clock_gettime(clock, time);
  *time = ReadClock(clock);
  return 0;
}

extern "C" FL_HOOK int gettimeofday(timeval* time, void* zone) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().gettimeofday(time, zone);
  const timespec now = ReadClock(CLOCK_REALTIME);
  *time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

extern "C" FL_HOOK time_t time(time_t* result) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().time(result);
  const time_t now = ReadClock(CLOCK_REALTIME).tv_sec;
  if (result != nullptr) *result = now;
  return now;
}

extern "C" FL_HOOK int timespec_get(timespec* time, int base) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled() || base != TIME_UTC) {
    return real().timespec_get(time, base);
  }
  *time = ReadClock(CLOCK_REALTIME);
  return base;
}
