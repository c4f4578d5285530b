// runtime/model/requests.h
//
// Requests as the program's annotations give them, and who may begin one. In an
// execution of the strategy `serial` a request waits at its begin until no
// other one is open and it is its turn in the plan's order; requests that the
// order does not have come behind it. In every other execution nobody waits,
// and a begin is no point.
//
// A request that the order has and that never comes keeps all others out: the
// execution then ends as one in which all threads wait.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_REQUESTS_H_
#define FAIRLEAD_RUNTIME_MODEL_REQUESTS_H_

#include <stdint.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// `thread` is about to begin a request at `place`. Comes back when it may.
void BeginRequest(Thread& thread, uint64_t session, uint64_t request,
                  const Place& place);

// A request has ended, whichever thread says so. Of one that is not open,
// nothing is to be done.
void EndRequest(uint64_t session, uint64_t request);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_REQUESTS_H_
