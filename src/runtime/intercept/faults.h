// runtime/intercept/faults.h
//
// Signals that end a program: faults, aborts, and our own time limit. Ours is
// the handler that the kernel knows; handlers that the program installs for
// these signals are kept here and have their turn first. If there is none, the
// outcome is written and the process dies by the same signal, with its default
// action, so that its exit status is genuine.
//
// Handlers run on a stack of ours, since the thread's own may be exhausted.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_FAULTS_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_FAULTS_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::rt {

// Installs our handlers, and a timer if `max_ns` is not 0.
void WatchFaults(uint64_t max_ns);

// Lets handlers of the calling kernel thread run at [begin, begin + bytes).
void UseSignalStack(char* begin, size_t bytes);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_FAULTS_H_
