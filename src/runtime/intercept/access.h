// runtime/intercept/access.h
//
// The hooks that instrumented code calls (abi/hooks.h): ahead of and behind
// accesses, at calls, at function entry and exit.
//
// An access is a point when at least two threads live, its thread is not in a
// quiet region, and the thread has come to code of the application: the
// library code in which a thread starts is nobody's concern.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_ACCESS_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_ACCESS_H_

#include <ucontext.h>

#include "abi/hooks.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Whether the instruction at `pc` belongs to a stub of the program or to one of
// the hooks that make accesses.
bool IsInStub(uint64_t pc);

// For a thread that was stopped with `registers` at an access that a stub
// makes: goes back to the call of the stub, the place in the program where the
// access is. At such a moment nothing but the address behind that call is on
// the stack (abi/hooks.h). False, and changes nothing, for any other thread.
bool StepOutOfStub(const Thread& thread, greg_t* registers);
// The same for a thread that was stopped while it ran, which may also be on the
// way to a stub (abi/step.h). Reads the code around it.
bool StepOutOfCall(const Thread& thread, greg_t* registers);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_ACCESS_H_
