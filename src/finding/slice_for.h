// finding/slice_for.h
//
// Which events of a failed execution a person should see: the last ones of the
// thread that failed, and those of other threads that conflict with it.
//
// A heuristic, and a pure one. Kept are, as long as there is room:
//   1. what tells the failure: faults, misuse, assertions, exits
//   2. the last accesses and synchronisation of the thread at fault
//   3. on every object that these touch: each pair of accesses by two threads
//   of
//      which one sees or overwrites the other, and, for a write among them,
//      what its thread had read there before (a lost update is four accesses)
//   4. operations on condition variables, semaphores and locks that somebody
//      waits for at the end; the freeing of blocks that are touched later
//   5. the third for other objects that threads share, the latest first
//
// What a library does on behalf of the application (the members of a container)
// comes behind the application's own accesses, and of one call one access is
// enough.
//
// Incomplete: events that have nothing to do with the failure are kept too.

#ifndef FAIRLEAD_FINDING_SLICE_FOR_H_
#define FAIRLEAD_FINDING_SLICE_FOR_H_

#include <cstdint>
#include <set>

#include "trace/trace.h"

namespace fairlead::finding {

struct SliceOrder {
  trace::Tid at_fault = trace::Tid::kMain;
  std::set<uint64_t> waited_for = {};  // objects that threads wait for
  size_t max_events = 32;
};

trace::Trace SliceFor(const trace::Trace& whole, const SliceOrder& order);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_FOR_H_
