// runtime/outside/on_call.h
//
// What a system call of the program comes to (sys/dispatch.h).
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_ON_CALL_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_ON_CALL_H_

#include <signal.h>

namespace fairlead::rt {

// The handler for sys/dispatch.h: does what outside/call.h says, and leaves the
// result where the kernel would.
void OnCall(int signal, siginfo_t* info, void* machine);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_ON_CALL_H_
