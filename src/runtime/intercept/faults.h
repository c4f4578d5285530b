// runtime/intercept/faults.h
//
// Signals that end a program: faults, aborts, and our own time limit. Ours is
// the handler that the kernel knows; a handler of the program's has its turn
// first (fault_handler.h). If there is none, the outcome is written and the
// process dies by the same signal, with its default action, so that its exit
// status is genuine.
//
// Our handlers run on a stack of ours, since the thread's own may be exhausted.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_FAULTS_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_FAULTS_H_

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/model/kernel_signals.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Installs our handlers, and a timer if `max_ns` is not 0.
void WatchFaults(uint64_t max_ns);

// Starts the timer anew in a child of the fork server, which inherits none.
void RenewTimer(uint64_t max_ns);
// Ends it in the server itself, which stands for as long as it is wanted.
void EndTimer();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_FAULTS_H_
