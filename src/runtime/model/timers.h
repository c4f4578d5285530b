// runtime/model/timers.h
//
// Timers that go off on the virtual clock: timerfd, timer_create, setitimer and
// alarm. A timer that is due does its work when a thread comes to the gate; the
// earliest one goes off, and takes the clock along, when nobody can move.
//
// A descriptor of timerfd_create is an eventfd to which a timer that goes off
// adds one: reading, polling and blocking are the same for both.
//
// A timer of the kind SIGEV_THREAD has its function called in a thread of its
// own. As with glibc, one more thread makes these: it is controlled like the
// program's own, waits for timers to go off, and stays.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_TIMERS_H_
#define FAIRLEAD_RUNTIME_MODEL_TIMERS_H_

#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "runtime/gate/outside.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

enum class TimerEffect : uint8_t { kNone, kSignal, kDescriptor, kThread };

struct Timer {
  bool used;
  TimerEffect effect;
  clockid_t clock;
  uint64_t deadline_ns;  // kNoDeadline = not set
  uint64_t interval_ns;  // 0 = goes off once
  uint64_t went_off_at;  // gate().points() when it last did
  uint64_t overruns;     // signals that found one pending
  int fd;                // kDescriptor
  Thread* target;        // kSignal: null = the process
  siginfo_t info;        // kSignal
  // kThread.
  void (*notify)(sigval);
  sigval value;
  uint64_t calls_due;  // it went off so often, and nobody has been called yet
};

// A new timer, not set; null when there are too many.
Timer* MakeTimer(TimerEffect effect, clockid_t clock);
// By its number, from 1; null for none.
Timer* FindTimer(long number);
long NumberOf(const Timer& timer);
Timer* FindTimerOf(int fd);
void EndTimer(Timer& timer);

// The first timer for which `calls_due` is not 0; null = none.
Timer* FindDue();

// setitimer's, of the kind ITIMER_*.
Timer& IntervalTimer(int kind);

// Sets it to go off at `deadline_ns`, or in no time at all (kNoDeadline).
void SetTimer(Timer& timer, uint64_t deadline_ns, uint64_t interval_ns);
// How long until it goes off; 0 = not set.
uint64_t TimeLeft(const Timer& timer);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_TIMERS_H_
