// runtime/model/timer_threads.h
//
// Timers of the kind SIGEV_THREAD (model/timers.h): the thread that makes a
// thread for each time that one goes off.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_TIMER_THREADS_H_
#define FAIRLEAD_RUNTIME_MODEL_TIMER_THREADS_H_

#include "runtime/model/timers.h"

namespace fairlead::rt {

// Makes a timer that calls `notify` in a thread of its own; the first one also
// makes the thread that makes these. Null when there are too many.
Timer* MakeThreadTimer(Thread& thread, clockid_t clock, void (*notify)(sigval),
                       sigval value, const Place& place);

// Timer::calls_due of one is not 0 any more.
void CallsAreDue();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_TIMER_THREADS_H_
