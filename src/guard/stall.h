// guard/stall.h
//
// Stalling: an access whose remote predecessor was never learnt waits until
// another thread's access has made it a learnt one, at most for
// Options::stall_ns; then it goes on, and both ends are told.
//
//   thread A                      thread B
//   violation: waiter + futex
//                                 access to the same granule; would A be right
//                                 now? then wake A, and wait for it before
//                                 the next access there
//   woken: holds the granule, looks again, goes on
//
// A thread that holds locks may keep the one who could end its stall from
// coming. Locks that it has taken and made no guarded access under are given
// up for the stall: that is as if it had come to them later. For the others the
// stall ends as soon as somebody waits for one of them.
//
// Tier: in-program. Threads: any.

#ifndef FAIRLEAD_GUARD_STALL_H_
#define FAIRLEAD_GUARD_STALL_H_

#include <stdint.h>

#include "guard/shadow.h"

namespace fairlead::guard {

// How many threads are stalled: whoever has made an access looks at it.
extern uint32_t num_waiters;

// An access of the calling thread at `site` to bytes of a granule that nobody
// holds has the predecessor `place`, which is not allowed. Comes back when it
// may be made. True: the calling thread holds the granule again.
bool StallAccess(Granule& granule, uint32_t mask, uint32_t site,
                 uint32_t place);

// For the holder of a granule that has just been accessed: chooses who may go
// on. Called when there are waiters; `WakeGranted` behind the release.
void GrantWaiters(Granule& granule);
void WakeGranted(Granule& granule);
// For somebody who comes to a granule: lets one who has been granted it pass.
void LetGrantedPass(Granule& granule);

// `lock` is waited for by somebody: a stall under it is hopeless.
void TellLockIsWanted(const void* lock);

// Has all who are stalled look whether they still should be.
void WakeAll();

// In a child of fork, where the other threads are gone.
void ForgetWaiters();

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_STALL_H_
