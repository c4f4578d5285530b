// runtime/outside/timers.cc
//
// System calls about timers (model/timers.h).

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/clock.h"
#include "runtime/model/deadline.h"
#include "runtime/model/signal_waits.h"
#include "runtime/model/timers.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/waiting.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

timespec TimeOf(uint64_t ns) {
  return {.tv_sec = static_cast<time_t>(ns / kSecond),
          .tv_nsec = static_cast<long>(ns % kSecond)};
}

itimerspec SettingOf(const Timer& timer) {
  return {.it_interval = TimeOf(timer.interval_ns),
          .it_value = TimeOf(TimeLeft(timer))};
}

// Sets `timer` as `wanted` says; the old setting to `old`, if that is not null.
long Set(Timer& timer, bool absolute, const itimerspec* wanted,
         itimerspec* old) {
  if (wanted == nullptr) return -EFAULT;
  const uint64_t interval = DurationOf(&wanted->it_interval);
  uint64_t time = DurationOf(&wanted->it_value);
  if (interval == kBadDeadline || time == kBadDeadline) return -EINVAL;
  const itimerspec before = SettingOf(timer);
  if (time == 0) {
    time = kNoDeadline;
  } else if (absolute) {
    time = DeadlineOf({timer.clock, &wanted->it_value});
  } else {
    time += gate().now_ns();
  }
  SetTimer(timer, time, interval);
  if (old != nullptr) *old = before;
  return 0;
}

itimerval Microseconds(const itimerspec& setting) {
  return {
      .it_interval = {setting.it_interval.tv_sec,
                      setting.it_interval.tv_nsec / 1000},
      .it_value = {setting.it_value.tv_sec, setting.it_value.tv_nsec / 1000}};
}

bool IsInterval(long kind) {
  return kind == ITIMER_REAL || kind == ITIMER_VIRTUAL || kind == ITIMER_PROF;
}

}  // namespace

long DoTimerfdCreate(Call& call) {
  const auto clock = static_cast<clockid_t>(call.args[0]);
  if (!IsVirtual(clock)) return AskKernel(call);
  ArriveOutside(call, EventKind::kOpen, nullptr);
  static_assert(int{TFD_NONBLOCK} == int{EFD_NONBLOCK} &&
                int{TFD_CLOEXEC} == int{EFD_CLOEXEC});
  const long fd = sys::Call(SYS_eventfd2, 0, call.args[1]);
  if (fd < 0) return fd;
  Timer* timer = MakeTimer(TimerEffect::kDescriptor, clock);
  if (timer == nullptr) {
    sys::Close(static_cast<int>(fd));
    return -EMFILE;
  }
  timer->fd = static_cast<int>(fd);
  SetDescriptor(fd, {.kind = DescriptorKind::kEvent,
                     .domestic = true,
                     .nonblocking = (call.args[1] & TFD_NONBLOCK) != 0,
                     .receive_ns = 0,
                     .send_ns = 0});
  emitter().Emit(*call.thread, EventKind::kOpen, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(fd));
  return fd;
}

long DoTimerfdSettime(Call& call) {
  Timer* timer = FindTimerOf(call.fd());
  if (timer == nullptr) return AskKernel(call);
  ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
  const long result =
      Set(*timer, (call.args[1] & TFD_TIMER_ABSTIME) != 0,
          call.pointer<const itimerspec>(2), call.pointer<itimerspec>(3));
  if (result != 0) return result;
  // Expirations of the old setting are forgotten.
  pollfd fd = {.fd = timer->fd, .events = POLLIN, .revents = 0};
  if (sys::Call(SYS_poll, sys::Arg(&fd), 1, 0) == 1) {
    uint64_t count = 0;
    sys::Call(SYS_read, fd.fd, sys::Arg(&count), sizeof(count));
  }
  OutsideChanged();
  return 0;
}

long DoTimerfdGettime(Call& call) {
  const Timer* timer = FindTimerOf(call.fd());
  if (timer == nullptr) return AskKernel(call);
  *call.pointer<itimerspec>(1) = SettingOf(*timer);
  return 0;
}

long DoTimerCreate(Call& call) {
  const auto clock = static_cast<clockid_t>(call.args[0]);
  const auto* event = call.pointer<const sigevent>(1);
  int* number = call.pointer<int>(2);
  const bool plain = event == nullptr || event->sigev_notify == SIGEV_SIGNAL ||
                     event->sigev_notify == SIGEV_NONE ||
                     event->sigev_notify == SIGEV_THREAD_ID;
  // 32 is libc's own, for SIGEV_THREAD.
  if (!IsVirtual(clock) || !plain ||
      (event != nullptr && event->sigev_signo == 32)) {
    return AskKernel(call);
  }
  Timer* timer = MakeTimer(TimerEffect::kSignal, clock);
  if (timer == nullptr) return -EAGAIN;
  timer->info.si_signo = event == nullptr ? SIGALRM : event->sigev_signo;
  timer->info.si_code = SI_TIMER;
  timer->info.si_timerid = static_cast<int>(NumberOf(*timer));
  if (event == nullptr) {
    timer->info.si_value.sival_int = timer->info.si_timerid;
  } else {
    timer->info.si_value = event->sigev_value;
    if (event->sigev_notify == SIGEV_NONE) timer->effect = TimerEffect::kNone;
    if (event->sigev_notify == SIGEV_THREAD_ID) {
      timer->target = FindByNumber(event->_sigev_un._tid);
    }
  }
  *number = timer->info.si_timerid;
  return 0;
}

long DoTimerSettime(Call& call) {
  Timer* timer = FindTimer(call.args[0]);
  if (timer == nullptr) return AskKernel(call);
  return Set(*timer, (call.args[1] & TIMER_ABSTIME) != 0,
             call.pointer<const itimerspec>(2), call.pointer<itimerspec>(3));
}

long DoTimerGettime(Call& call) {
  const Timer* timer = FindTimer(call.args[0]);
  if (timer == nullptr) return AskKernel(call);
  *call.pointer<itimerspec>(1) = SettingOf(*timer);
  return 0;
}

long DoTimerGetoverrun(Call& call) {
  const Timer* timer = FindTimer(call.args[0]);
  if (timer == nullptr) return AskKernel(call);
  return static_cast<long>(timer->overruns);
}

long DoTimerDelete(Call& call) {
  Timer* timer = FindTimer(call.args[0]);
  if (timer == nullptr) return AskKernel(call);
  EndTimer(*timer);
  return 0;
}

long DoSetitimer(Call& call) {
  if (!IsInterval(call.args[0])) return -EINVAL;
  const auto* wanted = call.pointer<const itimerval>(1);
  auto* old = call.pointer<itimerval>(2);
  Timer& timer = IntervalTimer(static_cast<int>(call.args[0]));
  const itimerspec before = SettingOf(timer);
  if (wanted != nullptr) {
    const itimerspec setting = {
        .it_interval = {wanted->it_interval.tv_sec,
                        wanted->it_interval.tv_usec * 1000},
        .it_value = {wanted->it_value.tv_sec, wanted->it_value.tv_usec * 1000}};
    const long result = Set(timer, false, &setting, nullptr);
    if (result != 0) return result;
  }
  if (old != nullptr) *old = Microseconds(before);
  return 0;
}

long DoGetitimer(Call& call) {
  if (!IsInterval(call.args[0])) return -EINVAL;
  *call.pointer<itimerval>(1) =
      Microseconds(SettingOf(IntervalTimer(static_cast<int>(call.args[0]))));
  return 0;
}

long DoAlarm(Call& call) {
  Timer& timer = IntervalTimer(ITIMER_REAL);
  const uint64_t left = TimeLeft(timer);
  const auto seconds = static_cast<unsigned>(call.args[0]);
  SetTimer(timer,
           seconds == 0 ? kNoDeadline : gate().now_ns() + seconds * kSecond, 0);
  return static_cast<long>((left + kSecond - 1) / kSecond);
}

}  // namespace fairlead::rt
