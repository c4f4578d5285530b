// runtime/model/sleep.h
//
// Sleeping, without waiting for real time. A sleep may be over at once, by
// choice, unless another thread is to wake up earlier, the sleeper is detached,
// or it is longer than the plan allows (abi::kPlanEarlySleepsShort); otherwise
// it is when no thread can move, the earliest first.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_SLEEP_H_
#define FAIRLEAD_RUNTIME_MODEL_SLEEP_H_

#include <stdint.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// A cancellation point. 0 nanoseconds are a point and no more. Returns what is
// left when the handler of a signal has ended it early; else 0.
uint64_t SleepFor(Thread& thread, uint64_t ns, const Place& place);
// Until a time on the virtual clock.
uint64_t SleepUntil(Thread& thread, uint64_t deadline_ns, const Place& place);

// sched_yield.
void Yield(Thread& thread, const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_SLEEP_H_
