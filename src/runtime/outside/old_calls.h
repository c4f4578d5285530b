// runtime/outside/old_calls.h
//
// `int $0x80`: system calls as 32-bit programs make them, which any program
// can. Their numbers, the registers of their arguments, and the layout of what
// these point to are others. Calls that are the same but for that are done as
// the others are; with any other one the execution ends as cut. Those of
// threads that are not controlled go to the kernel as they are.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_OLD_CALLS_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_OLD_CALLS_H_

#include <signal.h>
#include <ucontext.h>

#include "runtime/outside/call.h"

namespace fairlead::rt {

// Whether a call that came by a signal is one of these.
bool IsOldCall(const siginfo_t& info);

// `call` as the kernel would have it from a 64-bit program; its number is -1
// when there is no such call.
void TranslateOldCall(const ucontext_t& frame, Call& call);

// Asks the kernel, as the program would have.
long AskKernelByOldCall(const ucontext_t& frame);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_OLD_CALLS_H_
