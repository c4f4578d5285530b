// runtime/intercept/progress.h
//
// Notices a thread that runs for long without an event, a point or a system
// call: it spins, or computes, in code that nobody instrumented, and no other
// thread will ever have a turn. Looked at is processor time, so that a busy
// machine or a stopped process does not count.
//
// A thread whose registers are all the same at several looks does nothing but
// wait in a loop: it yields, as if it had called sched_yield() there. Since
// such a loop ends only when another thread changes something, the execution is
// the same however often it goes round before that.
//
// A thread that goes on like this, or computes, for too long ends the execution
// as *cut*, naming the function.
//
// Incomplete: a computation that takes longer than the limit (a minute, or
// a quarter of the time limit if there is one) is cut as well.
// Unsound: a loop that counts in memory alone is taken for one that waits.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_PROGRESS_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_PROGRESS_H_

#include <signal.h>
#include <stdint.h>

#include "runtime/sys/text.h"

namespace fairlead::rt {

struct Thread;

// Names the function that `pc` is in, and its file.
void PutFunction(Text& text, uint64_t pc);

// Starts to look, by `signal`, whose handler calls LookAtProgress. `max_ns`:
// the time limit; 0 = none.
void WatchProgress(int signal, uint64_t max_ns);

// Whether `info` is about this.
bool IsAboutProgress(const siginfo_t& info);

// In the handler. Lets a thread that spins yield; ends the process if nothing
// has happened for too long.
void LookAtProgress(int signal, void* machine);

// A thread was to be made to yield in the middle of an event: the next hook
// that it comes to does it.
extern constinit volatile bool yield_is_due;
void YieldAsDue(Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_PROGRESS_H_
