// runtime/gate/outside.h
//
// The world outside, as rooms that outside/ stands on see it: the descriptors
// that threads are parked for, and the timers that may go off.
// outside/waiting.cc, outside/signal_fds.cc and model/timers.cc answer.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_GATE_OUTSIDE_H_
#define FAIRLEAD_RUNTIME_GATE_OUTSIDE_H_

#include <stdint.h>

#include "runtime/sys/text.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Whether a thread is parked; a look at all of them; and what is done when
// nobody can move. WaitOutside returns false when the
// earliest deadline, if there is one, is to pass.
bool AnyParked();
bool AnyForeignParked();
void LookOutside();
bool WaitOutside(uint64_t deadline_ns);

// Waits in the kernel for at most so long until a descriptor that somebody is
// parked for is ready. Leaves no trace: neither time nor anybody's wait is
// changed.
bool IsReadyWithin(uint64_t ns);

// For reports: what the thread, whose intent is on a descriptor, waits for.
void DescribeOutside(Text& text, const Thread& thread);

// When the next timer is due; kNoDeadline = none.
uint64_t NextTimer();
// The same for when nobody can move: without those that have gone off since a
// thread last came to the gate, of which nobody has taken notice.
uint64_t EarliestTimer();
// Lets all timers that are due go off.
void GoOff();

// A call has been made that may have made descriptors ready, or taken what made
// them so.
void OutsideChanged();

// What signals are pending has changed.
void PendingChanged();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_OUTSIDE_H_
