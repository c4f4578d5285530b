// runtime/intercept/sleep.cc
//
// sched_yield, sleep and its relatives. The rules all hooks obey are in
// runtime/README.md.

#include "runtime/model/sleep.h"

#include <time.h>

#include "runtime/company/sanitizer.h"
#include "runtime/gate/hook.h"
#include "runtime/model/clock.h"
#include "runtime/model/deadline.h"
#include "runtime/outside/pointers.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

constexpr uint64_t kMicrosecond = 1'000;
constexpr uint64_t kSecond = 1'000'000'000;

bool IsValid(const timespec* time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 &&
         time->tv_nsec < static_cast<long>(kSecond);
}

uint64_t Nanoseconds(const timespec* time) {
  uint64_t ns;
  if (__builtin_mul_overflow(static_cast<uint64_t>(time->tv_sec), kSecond,
                             &ns)) {
    return ~uint64_t{0};
  }
  return ns + static_cast<uint64_t>(time->tv_nsec);
}

// What an interrupted sleep has left, if the program wants to know.
void Store(timespec* left, uint64_t ns) {
  if (left == nullptr || ns == 0 || !IsThere(left, sizeof(*left))) return;
  left->tv_sec = static_cast<time_t>(ns / kSecond);
  left->tv_nsec = static_cast<long>(ns % kSecond);
}

}  // namespace

extern "C" FL_HOOK int sched_yield() {
  HookScope hook(FL_CALLER);
  // LeakSanitizer waits so for a process of its own.
  if (!hook.controlled() || InSanitizer(FL_CALLER)) {
    return real().sched_yield();
  }
  Yield(hook.thread(), hook.place());
  return 0;
}

extern "C" FL_HOOK unsigned sleep(unsigned seconds) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sleep(seconds);
  const uint64_t left =
      SleepFor(hook.thread(), seconds * kSecond, hook.place());
  return static_cast<unsigned>((left + kSecond - 1) / kSecond);
}

extern "C" FL_HOOK int usleep(useconds_t microseconds) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().usleep(microseconds);
  const uint64_t left =
      SleepFor(hook.thread(), microseconds * kMicrosecond, hook.place());
  return left == 0 ? 0 : hook.Fail(EINTR);
}

extern "C" FL_HOOK int nanosleep(const timespec* time, timespec* left) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().nanosleep(time, left);
  if (!IsThere(time, sizeof(*time))) return hook.Fail(EFAULT);
  if (!IsValid(time)) return hook.Fail(EINVAL);
  const uint64_t rest =
      SleepFor(hook.thread(), Nanoseconds(time), hook.place());
  Store(left, rest);
  return rest == 0 ? 0 : hook.Fail(EINTR);
}

extern "C" FL_HOOK int clock_nanosleep(clockid_t clock, int flags,
                                       const timespec* time, timespec* left) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().clock_nanosleep(clock, flags, time, left);
  }
  if (!IsThere(time, sizeof(*time))) return EFAULT;
  if (!IsValid(time) || !IsVirtual(clock)) return EINVAL;
  if ((flags & TIMER_ABSTIME) != 0) {
    const uint64_t rest =
        SleepUntil(hook.thread(), DeadlineOf({clock, time}), hook.place());
    return rest == 0 ? 0 : EINTR;
  }
  const uint64_t rest =
      SleepFor(hook.thread(), Nanoseconds(time), hook.place());
  Store(left, rest);
  return rest == 0 ? 0 : EINTR;
}
