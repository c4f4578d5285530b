#include "runtime/model/timers.h"

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/signals.h"
#include "runtime/model/timer_threads.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// More than any program that we know has at once.
constexpr size_t kMostTimers = 256;
constexpr size_t kIntervalTimers = 3;

Timer timers[kMostTimers];
size_t num_timers = 0;  // none is used beyond
Timer interval_timers[kIntervalTimers];

void Do(Timer& timer) {
  timer.went_off_at = gate().points();
  Thread& running = *gate().running();
  emitter().Emit(running, EventKind::kTimer, 0, nullptr,
                 static_cast<uint64_t>(timer.effect));
  if (timer.effect == TimerEffect::kDescriptor) {
    const uint64_t one = 1;
    sys::Write(timer.fd, &one, sizeof(one));
    OutsideChanged();
  } else if (timer.effect == TimerEffect::kSignal) {
    Send(nullptr, timer.target, timer.info);
  } else if (timer.effect == TimerEffect::kThread) {
    ++timer.calls_due;
    CallsAreDue();
  }
}

template <typename Visit>
void ForEach(Visit visit) {
  for (size_t i = 0; i < num_timers; ++i) {
    if (timers[i].used) visit(timers[i]);
  }
  for (Timer& timer : interval_timers) {
    if (timer.used) visit(timer);
  }
}

void GoOffIfDue(Timer& timer) {
  const uint64_t now = gate().now_ns();
  if (timer.deadline_ns > now) return;
  if (timer.interval_ns == 0) {
    timer.deadline_ns = kNoDeadline;
  } else {
    // Those that were missed have gone off unseen.
    const uint64_t missed = (now - timer.deadline_ns) / timer.interval_ns;
    timer.overruns = missed;
    timer.deadline_ns += (missed + 1) * timer.interval_ns;
  }
  Do(timer);
}

}  // namespace

Timer* MakeTimer(TimerEffect effect, clockid_t clock) {
  for (Timer& timer : timers) {
    if (timer.used) continue;
    const size_t index = static_cast<size_t>(&timer - timers);
    if (index >= num_timers) num_timers = index + 1;
    timer = {};
    timer.used = true;
    timer.effect = effect;
    timer.clock = clock;
    timer.deadline_ns = kNoDeadline;
    timer.went_off_at = ~uint64_t{0};
    return &timer;
  }
  return nullptr;
}

Timer* FindTimer(long number) {
  if (number < 1 || number > static_cast<long>(kMostTimers)) return nullptr;
  Timer& timer = timers[number - 1];
  return timer.used ? &timer : nullptr;
}

long NumberOf(const Timer& timer) { return &timer - timers + 1; }

Timer* FindTimerOf(int fd) {
  for (Timer& timer : timers) {
    if (timer.used && timer.effect == TimerEffect::kDescriptor &&
        timer.fd == fd) {
      return &timer;
    }
  }
  return nullptr;
}

Timer* FindDue() {
  for (size_t i = 0; i < num_timers; ++i) {
    if (timers[i].used && timers[i].calls_due != 0) return &timers[i];
  }
  return nullptr;
}

void EndTimer(Timer& timer) { timer.used = false; }

Timer& IntervalTimer(int kind) {
  Timer& timer = interval_timers[kind];
  if (!timer.used) {
    constexpr int kSignals[] = {SIGALRM, SIGVTALRM, SIGPROF};
    timer.used = true;
    timer.effect = TimerEffect::kSignal;
    timer.clock = CLOCK_MONOTONIC;
    timer.deadline_ns = kNoDeadline;
    timer.went_off_at = ~uint64_t{0};
    timer.info.si_signo = kSignals[kind];
    timer.info.si_code = SI_KERNEL;
  }
  return timer;
}

void SetTimer(Timer& timer, uint64_t deadline_ns, uint64_t interval_ns) {
  timer.deadline_ns = deadline_ns;
  timer.interval_ns = interval_ns;
  timer.overruns = 0;
  timer.went_off_at = ~uint64_t{0};
  gate().TimersChanged();
}

uint64_t TimeLeft(const Timer& timer) {
  if (timer.deadline_ns == kNoDeadline) return 0;
  const uint64_t now = gate().now_ns();
  return timer.deadline_ns > now ? timer.deadline_ns - now : 1;
}

uint64_t NextTimer() {
  uint64_t next = kNoDeadline;
  ForEach([&](const Timer& timer) {
    if (timer.deadline_ns < next) next = timer.deadline_ns;
  });
  return next;
}

uint64_t EarliestTimer() {
  uint64_t earliest = kNoDeadline;
  ForEach([&](const Timer& timer) {
    if (timer.deadline_ns < earliest && timer.went_off_at != gate().points()) {
      earliest = timer.deadline_ns;
    }
  });
  return earliest;
}

void GoOff() {
  ForEach(GoOffIfDue);
  gate().TimersChanged();
}

}  // namespace fairlead::rt
