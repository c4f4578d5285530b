// guard/locks.h
//
// Which locks a thread holds. The guard stands in front of the lock functions
// of libc to know it; what they do is libc's own.
//
// Tier: in-program.

#ifndef FAIRLEAD_GUARD_LOCKS_H_
#define FAIRLEAD_GUARD_LOCKS_H_

#include <stdint.h>

#include "guard/self.h"

namespace fairlead::guard {

bool Holds(const Self& thread, const void* lock);

// Gives up the locks that the calling thread has taken and made no guarded
// access under, newest first; how many. `TakeLocksBack` takes them again, in
// the order in which it had them.
uint32_t YieldLocks();
void TakeLocksBack(uint32_t count);

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_LOCKS_H_
