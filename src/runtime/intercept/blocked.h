// runtime/intercept/blocked.h
//
// Notices a thread that waits in the kernel, in a call that we have not parked
// it for: one that outside/calls.inc has no row for, or, without syscall user
// dispatch, one that no wrapper of libc has seen. Nobody else can run
// meanwhile, so it is told as not controlled
// (abi::Uncontrolled::kBlockingCall), with its place. Looked at is real time;
// the look interrupts the call, which the kernel takes up again by itself, or,
// if it is of the kind that is not (poll, sleep), ends with EINTR.
//
// Incomplete: a wait that is shorter than two looks (a second each, less when
// there is a time limit) is not seen. The number of a call is known if the
// kernel takes it up again, or if it is loaded just ahead of it, as libc does.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_BLOCKED_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_BLOCKED_H_

#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

#include "runtime/sys/text.h"

namespace fairlead::rt {

struct BlockedCall {
  uint64_t pc = 0;  // behind the call; 0 = there is none
  uint64_t number = 0;
};

// The call that a signal has interrupted at `machine`, if it is one that we do
// not know of.
BlockedCall FindBlockedCall(const ucontext_t& machine);

// Counts it and keeps the first one for the outcome; once for each wait.
void TellBlockedCall(const BlockedCall& call);

// "system call 0 by read of libc.so.6"
void PutBlockedCall(Text& text, const BlockedCall& call);

// Starts to look, unless there is a debugger; where system calls are not
// dispatched. The handler of our own signal calls LookForBlocked if the signal
// IsAboutBlocked. `max_ns`: the time limit; 0 = none.
void WatchBlocked(uint64_t max_ns);

// The same in a child of the fork server, if the server did.
void RenewBlockedWatch(uint64_t max_ns);

bool IsAboutBlocked(const siginfo_t& info);
void LookForBlocked(int signal, const ucontext_t& machine);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_BLOCKED_H_
