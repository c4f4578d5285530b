// runtime/model/pending_set.h
//
// Signals that are pending for a thread or for the process (thread/signals.h),
// in the kernel's order: lower numbers first, of those the oldest. Who gets
// what is model/signals.h.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_PENDING_SET_H_
#define FAIRLEAD_RUNTIME_MODEL_PENDING_SET_H_

#include "runtime/thread/signals.h"

namespace fairlead::rt {

// In no set yet.
PendingSignal* NewPendingSignal();
// Is in no set any more.
void FreePendingSignal(PendingSignal* signal);

// Adds `signal`, or frees it: those below the real-time ones are merged with
// one of the same number.
void Queue(PendingSet& set, PendingSignal* signal);
void Remove(PendingSet& set, const PendingSignal* signal);
// Frees all of that number.
void Forget(PendingSet& set, int number);

// Whether `a` is taken first; `b` may be null, which is nothing.
bool ComesBefore(const PendingSignal& a, const PendingSignal* b);

// The first one of `wanted` among those that were sent to the process, or among
// those that were sent to the thread; null = none.
PendingSignal* FirstOf(const PendingSet& set, SignalSet wanted,
                       bool for_process);

// Each takes the other's place; both were sent to the process.
void Exchange(PendingSet& a_set, PendingSignal& a, PendingSet& b_set,
              PendingSignal& b);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_PENDING_SET_H_
