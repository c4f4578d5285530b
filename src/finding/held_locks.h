// finding/held_locks.h
//
// Which locks a thread holds at an event, and since when: mutexes, rwlocks,
// spinlocks, locks of files. A condition variable's wait gives its mutex up.
//
// Incomplete: locks that were taken before the trace begins, or that the
// program makes of atomics, are not known.

#ifndef FAIRLEAD_FINDING_HELD_LOCKS_H_
#define FAIRLEAD_FINDING_HELD_LOCKS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include "trace/trace.h"

namespace fairlead::finding {

// Whether a lock is taken by it.
bool Takes(const trace::Event& event);

// By address of the lock: the event that took it.
using Held = std::map<uint64_t, size_t>;

// What is held at the events of these indices: one pass over the trace.
std::map<size_t, Held> HeldAt(const std::vector<trace::Event>& events,
                              const std::set<size_t>& wanted);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_HELD_LOCKS_H_
