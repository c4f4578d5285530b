// runtime/model/pids.h
//
// Process ids: inputs, since the kernel gives others each time. A program that
// follows a schedule is told those of the schedule; what it says about them is
// put into the kernel's words again.
//
// Incomplete: ids that a program finds in files or gets from other processes
// are not translated.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_PIDS_H_
#define FAIRLEAD_RUNTIME_MODEL_PIDS_H_

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// A process that `thread` has just made, which the kernel calls `real`: what
// the program is told. Errors (negative) pass.
long ToldPid(const Thread& thread, long real);

// This process's own id, as the program is told it.
int OwnPid();

// What the kernel calls the process that the program calls `told`; the same for
// one that is not known. Negative numbers name process groups.
long RealPid(long told);
// The reverse, for what the kernel says.
long KnownPid(long real);
// Whether `told` is a process of our making, or ourselves.
bool IsOwnMaking(long told);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_PIDS_H_
