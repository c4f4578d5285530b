// runtime/model/kernel_signals.h
//
// What the model of signals leaves to the kernel: its mask, its dispositions,
// and the ends and stops of default actions. outside/arrivals.cc and
// intercept/faults.cc answer: what a handler of the kernel's does touches rooms
// that know this one.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_KERNEL_SIGNALS_H_
#define FAIRLEAD_RUNTIME_MODEL_KERNEL_SIGNALS_H_

#include <signal.h>
#include <stdint.h>

#include "runtime/model/signals.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Opens the mask of the calling kernel thread; returns what it was.
SignalSet OpenKernelMask();

// Makes ours the handler of `signals` for good: the program blocks them, so the
// kernel's default must not happen.
void TakeOver(SignalSet signals);

// What the kernel does, and what it is to do about a signal.
Action KernelAction(int signal);
void TellKernel(int signal, const Action& action);

// Writes the outcome and ends the process by the default action of the signal.
// `pc` is where a fault happened; 0 = the signal is no fault.
[[noreturn]] void EndBySignal(Thread& thread, const siginfo_t& info,
                              uint64_t pc);

// Stops the process as SIGSTOP does, until it is continued.
void StopForAWhile();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_KERNEL_SIGNALS_H_
