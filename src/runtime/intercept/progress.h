// runtime/intercept/progress.h
//
// Notices a thread that runs for long without an event, a point or a system
// call: it spins, or computes, in code that nobody instrumented, and no other
// thread will ever have a turn. The execution ends as *cut*, naming the
// function. Measured is processor time, so that a busy machine or a stopped
// process does not count.
//
// Incomplete: a computation that takes longer than the limit (a minute, or
// a quarter of the time limit if there is one) is cut as well.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_PROGRESS_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_PROGRESS_H_

#include <signal.h>
#include <stdint.h>

#include "runtime/sys/text.h"

namespace fairlead::rt {

// Names the function that `pc` is in, and its file.
void PutFunction(Text& text, uint64_t pc);

// Starts to look, by `signal`, whose handler calls LookAtProgress. `max_ns`:
// the time limit; 0 = none.
void WatchProgress(int signal, uint64_t max_ns);

// Whether `info` is about this.
bool IsAboutProgress(const siginfo_t& info);

// In the handler. Ends the process if nothing has happened for too long.
void LookAtProgress(int signal, void* machine);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_PROGRESS_H_
