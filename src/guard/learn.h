// guard/learn.h
//
// Learning: which remote predecessors the sites had, and which sites touched
// memory that threads share, written to the board as it happens. Whether the
// execution was a good one is judged afterwards, by the tool.
//
// A granule remembers the set of sites that have touched it. When a second
// thread comes, all of them are shared; what comes later is shared at once.
//
// Tier: in-program. Threads: any; async-signal-safe.

#ifndef FAIRLEAD_GUARD_LEARN_H_
#define FAIRLEAD_GUARD_LEARN_H_

#include <stdint.h>

#include "guard/shadow.h"

namespace fairlead::guard {

// Before the first site is known. False: there is no memory for it.
bool PrepareLearning();

// The number of a site while learning; the same for equal anchors. 0 = there
// are more sites than can be told apart.
uint32_t LearningNumber(uint64_t anchor);

// An access of a thread to bytes of a granule that is held.
void LearnAccess(Granule& granule, uint32_t mask, uint32_t thread,
                 uint32_t site);

// The end of a block by the pseudo-site of frees: one granule of it. Where no
// other thread has been, the tool decides what that means: if the granule was
// touched by sites that share memory elsewhere, nil is right for a block.
void LearnFree(Granule& granule, uint32_t mask, uint32_t thread, uint32_t site);

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_LEARN_H_
