// runtime/model/deadline.h
//
// Waits that end at a time. Nothing waits for real time: such a wait may end by
// its deadline at once, by the strategy's choice, as far as the plan allows
// (abi::kPlanEarly); and when no thread can move otherwise, the earliest
// deadline passes. Either way the virtual clock (model/clock.h) shows that time
// from then on.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_DEADLINE_H_
#define FAIRLEAD_RUNTIME_MODEL_DEADLINE_H_

#include <stdint.h>
#include <time.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// What a deadline with a nonsensical tv_nsec becomes: the call fails (EINVAL).
inline constexpr uint64_t kBadDeadline = kNoDeadline - 1;

// The clocks that glibc accepts in its clock-taking functions.
constexpr bool IsWaitClock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

// How long a call is willing to wait, as the program put it.
struct Until {
  clockid_t clock = CLOCK_REALTIME;
  const timespec* when = nullptr;  // absolute; null = for ever
};

// The time on the virtual clock; kNoDeadline for ever; 0 for times before the
// start of the program.
uint64_t DeadlineOf(const Until& until);

// How long `time` is, in nanoseconds; kBadDeadline when it makes no sense.
uint64_t DurationOf(const timespec* time);

// Waits for `intent`, which is not ready now and has a deadline or none. The
// result is Gate::Arrive's, except that kTimedOut also comes by choice.
Wake Await(Thread& thread, const Intent& intent, const Place& place);
// The same at a cancellation point, as ArriveCancelable.
Wake AwaitCancelable(Thread& thread, const Intent& intent, const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_DEADLINE_H_
