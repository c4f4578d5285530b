// runtime/intercept/fault_handler.h
//
// The program's own handlers for faults. Our handler runs on a stack that all
// threads of a kernel thread share, so the program's must not run inside of it:
// it may wait at the gate while another thread faults. Instead, what the kernel
// has saved is copied to where the kernel would have put it (the thread's own
// stack, or its alternate one), and the thread goes on from there when our
// handler returns.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_FAULT_HANDLER_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_FAULT_HANDLER_H_

#include <signal.h>
#include <ucontext.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Arranges that `thread`, which has faulted at `machine`, goes on in its own
// handler for the signal. False when it has none, or cannot run one: the signal
// is blocked, or there is no room on the stack.
bool GoToHandler(Thread& thread, siginfo_t* info, ucontext_t* machine);

// The same for a function of ours: `thread`, which our handler has interrupted
// at `machine`, runs `detour` on its own stack, and then goes on where it was.
// False: there is no room on the stack.
bool GoByDetour(Thread& thread, ucontext_t* machine, void (*detour)(Thread&));

// Whether a fault at `address` is a stack that was not large enough.
bool IsStackOverflow(const Thread& thread, const void* address);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_FAULT_HANDLER_H_
