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
//   5. interference in what the thread at fault looked at last, or, where only
//      a result is wrong, in anything: a lost update (four accesses), an
//      exchange that succeeds because a value has come back (ABA), a check that
//      was overtaken before the thread acted on it, other threads between two
//      steps of one; with the locks around these, and what the thread at fault
//      found in the end. Then 6 and 7 are left out
//   6. the last steps of the thread at fault, but for temporaries and locks of
//      its own; on what these touch, the latest pairs of accesses by two
//      threads of which one sees or overwrites the other, and what the writer
//      had read there before; the locks around them
//   7. when that is little, the sixth for other objects, the latest first
//   8. who gave to the pipes, sockets and eventfds that the thread at fault
//      took from, or that somebody waits for
//   9. the arrival of signals whose handlers did something of all this; a
//      handler comes between the steps of its thread like another thread
//
// Where a test says at which line it failed, nothing behind that line counts;
// where memory was misused, nothing behind that.
//
// What a library does on behalf of the application (the members of a container)
// comes behind the application's own accesses, and of one call one access is
// enough. What a thread finds prepared by the one that made it is left out.
//
// Incomplete: events that have nothing to do with the failure are kept too.

#ifndef FAIRLEAD_FINDING_SLICE_FOR_H_
#define FAIRLEAD_FINDING_SLICE_FOR_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "finding/held_locks.h"
#include "finding/story.h"
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
  std::vector<Stuck> stuck = {};
  // Of the interleaving that was forced when it failed: events at these sites
  // are part of how it came about. By anchor.
  std::map<uint64_t, Forced> forced = {};
  size_t max_events = 24;
  size_t max_deciding = 12;
};

// The events that matter, with what decided.
struct Sliced {
  trace::Trace trace;
  // Those that tell it in the fewest rows, by index into `trace`.
  std::set<size_t> deciding = {};
  Story story = {};                  // … into `trace`, too
  std::map<size_t, Held> held = {};  // at events of `trace`; what took a lock
                                     // is an index into the whole trace
};

Sliced SliceWithStory(const trace::Trace& whole, const SliceOrder& order);

// Its events alone.
trace::Trace SliceFor(const trace::Trace& whole, const SliceOrder& order);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_FOR_H_
