// finding/slice_for.h
//
// Which events of a failed execution a person should see: those that decided
// it, and no more than fit a page.
//
// A heuristic, and a pure one. Kept are, as long as there is room:
//   1. what tells the failure: the first misuse, the fault, assertion or exit
//   2. of memory that the failure is about: the freeing of it, and the first
//      use behind that
//   3. where threads are stuck: who took what they wait for and keeps it; on
//      condition variables and semaphores the waits that never ended and the
//      last wake-ups
//   4. waits that ended by their time
//   5. where a result is wrong and no place is at fault: other threads that
//      came between two steps of one, lost updates first (four accesses each)
//   6. the last steps of the thread at fault; on what these touch, the latest
//      pairs of accesses by two threads of which one sees or overwrites the
//      other, and what the writer had read there before
//   7. when that is little, the sixth for other objects, the latest first
//   8. who gave to the pipes, sockets and eventfds that the thread at fault
//      took from, or that somebody waits for
//   9. the taking and giving of locks around what was chosen of memory that
//      several threads touch
//
// Where a test says at which line it failed, nothing behind that line counts.
//
// What a library does on behalf of the application (the members of a container)
// comes behind the application's own accesses, and of one call one access is
// enough. What a thread finds prepared by the one that made it is left out.
//
// Incomplete: events that have nothing to do with the failure are kept too.

#ifndef FAIRLEAD_FINDING_SLICE_FOR_H_
#define FAIRLEAD_FINDING_SLICE_FOR_H_

#include <cstdint>
#include <set>

#include "trace/names.h"
#include "trace/trace.h"

namespace fairlead::finding {

struct SliceOrder {
  trace::Tid at_fault = trace::Tid::kMain;
  std::set<uint64_t> waited_for = {};  // objects that threads wait for
  std::set<uint64_t> touched = {};     // addresses that the failure is about
  bool result_is_wrong = false;  // rather than that something went wrong at a
                                 // place: exit code, output, a client
  // Where a test failed, by its own words; only the file's name counts. The
  // thread that was last there is at fault.
  trace::Place failed_at = {};
  size_t max_events = 24;
};

trace::Trace SliceFor(const trace::Trace& whole, const SliceOrder& order);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_FOR_H_
