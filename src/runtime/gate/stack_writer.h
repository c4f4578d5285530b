// runtime/gate/stack_writer.h
//
// Keeps the stacks of all threads when something fails: registers, and the
// innermost part of the memory above the stack pointer, for the tool to unwind
// (trace/unwind.h). Copies only, so it works in a handler for faults and needs
// no unwinder in the program.
//
// Fibers that do not run have their registers on their stacks; of threads that
// kernel threads carry, the running one is kept only.
//
// Tier: in-program. Threads: the caller holds the turn, or the process is about
// to end.

#ifndef FAIRLEAD_RUNTIME_GATE_STACK_WRITER_H_
#define FAIRLEAD_RUNTIME_GATE_STACK_WRITER_H_

#include <ucontext.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// `running` is where `machine` says, or here if that is null. The first call
// counts: what comes later is a consequence. Async-signal-safe.
void KeepStacks(const Thread& running, const ucontext_t* machine);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_STACK_WRITER_H_
