// runtime/outside/fork.h
//
// A child of fork goes on without control: it keeps the thread that called
// fork, passes all hooks straight through, and touches neither ring nor control
// page. Mutexes that its thread held are locked for real, so that it can unlock
// them.
//
// Incomplete: mutexes that other threads held are free in the child, where in a
// plain run they would be locked for ever.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_FORK_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_FORK_H_

#include <ucontext.h>

namespace fairlead::rt {

void WatchFork();

// In a child that has just been made by a system call: leaves control. `frame`
// is what the kernel will restore when the call is over, or null.
void LeaveInChild(ucontext_t* frame);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_FORK_H_
