// finding/slice_actors.h
//
// Whose steps events are: a thread's own, or those of a signal handler that
// interrupts it. A handler comes between the steps of its thread as another
// thread does, so whoever looks for interference asks for actors, not threads.
//
// Incomplete: nothing tells when a handler ends; it is taken to end where its
// thread goes on with the step that the signal came before. Where that is
// missing, what follows in the thread counts as the handler's.

#ifndef FAIRLEAD_FINDING_SLICE_ACTORS_H_
#define FAIRLEAD_FINDING_SLICE_ACTORS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/event.h"

namespace fairlead::finding {

// Equal for two events of one thread outside of handlers, and for two of one
// run of a handler; unequal for all others.
using Actor = uint32_t;

struct SignalHandling {
  size_t arrives = 0;  // the event of the arrival
  size_t end = 0;      // the interrupted step; the number of events = never
};

struct Actors {
  std::vector<Actor> by_event;
  std::vector<SignalHandling> signals;  // by arrival
};

// One pass over the events.
Actors ActorsOf(const std::vector<trace::Event>& events);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_ACTORS_H_
