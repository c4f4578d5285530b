// trace/access.h
//
// What an event does to memory, as far as every reader of streams agrees.

#ifndef FAIRLEAD_TRACE_ACCESS_H_
#define FAIRLEAD_TRACE_ACCESS_H_

#include "trace/event.h"

namespace fairlead::trace {

// Whether `event` touches memory; a fence does not.
bool IsAccess(const Event& event);

// Whether it changes what others may read. A compare-and-swap that failed only
// reads.
bool Writes(const Event& event);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_ACCESS_H_
