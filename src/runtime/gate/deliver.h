// runtime/gate/deliver.h
//
// What the gate asks about signals. A thread for which signals are due has
// their handlers run when it comes to the gate or is chosen there; whether at
// once or later is the strategy's choice. A thread that waits is woken for it.
// model/deliver.cc, model/signal_waits.cc and outside/arrivals.cc answer.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_GATE_DELIVER_H_
#define FAIRLEAD_RUNTIME_GATE_DELIVER_H_

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// What has run.
struct Delivered {
  bool handler;          // any
  bool without_restart;  // one that was installed without SA_RESTART
};

inline bool EndsWait(Delivered delivered, Interruption interruption) {
  if (interruption == Interruption::kNever) return false;
  return interruption == Interruption::kAlways ? delivered.handler
                                               : delivered.without_restart;
}

// Signals are due for the running `thread`: takes all of them, and runs their
// handlers. Its intent is as before when this comes back. It does not when a
// signal's default action ends the process, or a handler jumps away.
Delivered DeliverNow(Thread& thread);

// The same if the strategy says so. True when a handler has run.
bool DeliverAhead(Thread& thread);

// A call of `thread` that came to the gate is about to return: what is due by
// now is delivered, if the plan says so (abi::kPlanSignalsAtCalls). The kernel
// lets nobody out of a call while a signal is pending for him.
void DeliverBehind(Thread& thread);
// The same in code of the program, where that has no hook: at the end of a
// thread's routine.
void DeliverAtEnd(Thread& thread);

// Signals have come from outside, or the schedule that is being followed says
// that they do, while `from` is at the gate: as it came there, or while nobody
// could move.
enum class Arriving : uint8_t { kAtPoint, kWhileWaiting, kBehindCall };
void TakeArrivals(Thread& from, Arriving when);

// The signals that could end the wait of a thread that waits for signals.
SignalSet HopedFor(const Thread& thread);

// No thread can move. If one waits for a signal that may well come from
// outside, waits for that for real. False: none does.
bool AwaitArrival(Thread& from);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_DELIVER_H_
