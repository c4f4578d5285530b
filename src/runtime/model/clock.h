// runtime/model/clock.h
//
// What time it is for the program. The clocks start at the same instant in
// every execution, which is not the real one, and then advance by what happens
// in the execution alone: a deadline that passes takes them there, and each
// look at a clock takes a microsecond, and after thousands of them ever more,
// so that a program which waits by looking, or works until a time has come,
// comes to an end. So a program that computes a deadline, waits and looks
// again, or decides by the date, sees the same in every repetition.
//
// Clocks that measure the use of the processor count points and looks: waiting
// takes none of it. They are the same for all threads.
//
// Incomplete: files carry real times, so a file written before the execution
// may look as if it came from the future.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_CLOCK_H_
#define FAIRLEAD_RUNTIME_MODEL_CLOCK_H_

#include <stdint.h>
#include <time.h>

namespace fairlead::rt {

// Whether the clock is one that goes by the execution.
bool IsVirtual(clockid_t clock);

// Whether it is the clock of the processor time of a thread of this process, as
// pthread_getcpuclockid gives it.
bool IsOfThread(clockid_t clock);

// What a virtual clock showed when the virtual time was 0, in nanoseconds.
uint64_t StartOfClock(clockid_t clock);

// What a virtual clock, or one of a thread, shows now. This look takes its
// microsecond.
timespec ReadClock(clockid_t clock);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_CLOCK_H_
