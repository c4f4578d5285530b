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
#include "runtime/sys/text.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

[[noreturn]] void StopDeadlock(Thread& last);
[[noreturn]] void StopLivelock(Thread& last);
[[noreturn]] void StopCut(Thread& last, abi::CutReason reason);

// A schedule that must be followed could not be.
[[noreturn]] void StopDivergence(Thread& last, const abi::Divergence& where);

// The same for an input; the caller has written the outcome's text.
[[noreturn]] void StopInputDivergence(Thread& last);

// Writes what each thread that has not ended waits for or does.
void DescribeThreads(Text& text);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_STALL_H_
