// runtime/outside/kernel_state.h
//
// What the kernel keeps for each thread: whose rights it has, its filters of
// system calls, its own table of descriptors or directory, the base of %gs. A
// kernel thread that carries several threads of the program has one of each, so
// that what one of them sets holds for all. Its %gs the carrier switches; any
// other change ends the execution, which can say nothing about the program
// then: on kernel threads (`run --carrier thread`) it is as it should be.
//
// A change that is meant for all threads, or made while there is one, is made.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_KERNEL_STATE_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_KERNEL_STATE_H_

#include "runtime/outside/call.h"

namespace fairlead::rt {

// Ends the execution as cut, if others share the caller's kernel thread.
void RefuseForOneOfMany(const Call& call);

// Whether this call of seccomp or prctl installs a filter in all threads.
bool IsForAllThreads(const Call& call);

// Ends the execution as cut: `what` the program does, and `advice`.
[[noreturn]] void StopUncarried(const Thread& thread, const char* what,
                                const char* advice);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_KERNEL_STATE_H_
