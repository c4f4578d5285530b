// runtime/gate/stall.h
//
// The ends that the gate itself brings about: nobody can move (deadlock), all
// who can move only repeat themselves (livelock), a limit is reached (cut).
// Each writes the outcome with every waiting thread in it, and ends the
// process.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_GATE_STALL_H_
#define FAIRLEAD_RUNTIME_GATE_STALL_H_

#include "abi/control.h"
#include "abi/event.h"
#include "runtime/gate/thread.h"
#include "runtime/intercept/blocked.h"
#include "runtime/sys/text.h"

namespace fairlead::rt {

[[noreturn]] void StopDeadlock(Thread& last);
[[noreturn]] void StopLivelock(Thread& last);
[[noreturn]] void StopCut(Thread& last, abi::CutReason reason);

// The same for the time limit, from a signal handler: emits no event, as the
// thread may be in the middle of one. `pc`: where it is; `blocked`: the call
// that keeps it in the kernel, if there is one that we do not know of.
[[noreturn]] void StopForTime(const Thread& running, uint64_t pc,
                              const BlockedCall& blocked);

// A schedule that must be followed could not be.
[[noreturn]] void StopDivergence(Thread& last, const abi::Divergence& where);

// The same for an input; the caller has written the outcome's text.
[[noreturn]] void StopInputDivergence(Thread& last);

// Writes a thread's name by creation path, such as main/1/2, and the one that
// the program gave it behind it; or the path alone.
void PutThreadPath(Text& text, const Thread& thread);
void PutThreadName(Text& text, const Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_STALL_H_
