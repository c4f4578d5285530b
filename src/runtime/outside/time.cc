// runtime/outside/time.cc
//
// Time and random numbers, where they are asked of the kernel and not of libc.

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include "runtime/gate/gate.h"
#include "runtime/model/clock.h"
#include "runtime/model/deadline.h"
#include "runtime/model/random.h"
#include "runtime/model/sleep.h"
#include "runtime/outside/call.h"

namespace fairlead::rt {
namespace {

timeval MicrosecondsOf(const timespec& time) {
  return {.tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000};
}

}  // namespace

long DoNanosleep(Call& call) {
  const auto* time = call.pointer<const timespec>(0);
  const uint64_t ns = DurationOf(time);
  if (ns == kBadDeadline || time->tv_sec < 0) return -EINVAL;
  SleepFor(*call.thread, ns, call.place());
  return 0;
}

long DoClockNanosleep(Call& call) {
  constexpr long kAbsolute = TIMER_ABSTIME;
  const auto clock = static_cast<clockid_t>(call.args[0]);
  const auto* time = call.pointer<const timespec>(2);
  const uint64_t ns = DurationOf(time);
  if (ns == kBadDeadline || time->tv_sec < 0 || !IsVirtual(clock)) {
    return -EINVAL;
  }
  if ((call.args[1] & kAbsolute) != 0) {
    SleepUntil(*call.thread, DeadlineOf({clock, time}), call.place());
  } else {
    SleepFor(*call.thread, ns, call.place());
  }
  return 0;
}

long DoClockGettime(Call& call) {
  const auto clock = static_cast<clockid_t>(call.args[0]);
  if (!IsVirtual(clock) && !IsOfThread(clock)) return AskKernel(call);
  *call.pointer<timespec>(1) = ReadClock(clock);
  return 0;
}

long DoGettimeofday(Call& call) {
  auto* time = call.pointer<timeval>(0);
  if (time != nullptr) *time = MicrosecondsOf(ReadClock(CLOCK_REALTIME));
  return 0;
}

long DoTime(Call& call) {
  const time_t now = ReadClock(CLOCK_REALTIME).tv_sec;
  if (call.args[0] != 0) *call.pointer<time_t>(0) = now;
  return now;
}

long DoTimes(Call& call) {
  const timespec now = ReadClock(CLOCK_PROCESS_CPUTIME_ID);
  const clock_t ticks = now.tv_sec * 100 + now.tv_nsec / 10'000'000;
  if (call.args[0] != 0) *call.pointer<tms>(0) = {ticks, 0, 0, 0};
  return ticks;
}

long DoGetrusage(Call& call) {
  const long result = AskKernel(call);
  if (result != 0) return result;
  auto* usage = call.pointer<rusage>(1);
  const long memory = usage->ru_maxrss;
  *usage = {};
  usage->ru_maxrss = memory;
  if (call.args[0] != RUSAGE_CHILDREN) {
    usage->ru_utime = MicrosecondsOf(ReadClock(CLOCK_PROCESS_CPUTIME_ID));
  }
  return 0;
}

long DoSchedYield(Call& call) {
  Yield(*call.thread, call.place());
  return 0;
}

long DoGetrandom(Call& call) {
  DrawRandom(call.pointer<void>(0), static_cast<size_t>(call.args[1]));
  return call.args[1];
}

// One processor is enough for one thread at a time.
long DoGetcpu(Call& call) {
  if (call.args[0] != 0) *call.pointer<unsigned>(0) = 0;
  if (call.args[1] != 0) *call.pointer<unsigned>(1) = 0;
  return 0;
}

}  // namespace fairlead::rt
