// finding/slice_sync.h
//
// What finding/slice_for.h chooses that is no access to memory: waits that
// never ended or ended by their time, what wakes threads up, what goes through
// pipes and sockets, and the locks around accesses that were chosen.

#ifndef FAIRLEAD_FINDING_SLICE_SYNC_H_
#define FAIRLEAD_FINDING_SLICE_SYNC_H_

#include <cstdint>
#include <set>

#include "finding/held_locks.h"
#include "finding/slice_chosen.h"

namespace fairlead::finding {

// Who took the objects of `waited_for` and keeps them; on condition variables
// and semaphores the waits that never ended, and the last wake-ups.
void TakeStuck(const std::set<uint64_t>& waited_for, Chosen& chosen);

// Waits that ended by their time.
void TakeTimeouts(Chosen& chosen);

// Signals whose handlers did something that was chosen: their arrival, where
// the thread goes on after it, and who sent them.
void TakeSignals(Chosen& chosen);

// Who gave to what the thread at fault took from last, and what it took;
// where threads wait for descriptors, the last calls on these, and the last
// that gave to any, as a set of descriptors does not tell which are in it.
void TakeTransfers(trace::Tid at_fault, const std::set<uint64_t>& waited_for,
                   Chosen& chosen);

// Of locks that several threads take: the taking and the giving around an
// access that was chosen, of memory that several threads touch.
void TakeLocks(Chosen& chosen);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_SYNC_H_
