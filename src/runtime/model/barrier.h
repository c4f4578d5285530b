// runtime/model/barrier.h
//
// pthread_barrier_t: how many threads have come in this generation. The last
// one begins the next generation, goes on as the serial thread, as with glibc,
// and lets the others go.
//
// Unsound: a barrier shared with other processes is treated like any other.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_BARRIER_H_
#define FAIRLEAD_RUNTIME_MODEL_BARRIER_H_

#include <pthread.h>

#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct Barrier : Object {
  static constexpr ObjectKind kKind = ObjectKind::kBarrier;
  uint32_t count;       // how many it is for
  uint32_t arrived;     // of this generation, less than count
  uint64_t generation;  // from 0
  Cause last;           // ended the last generation
};

int WaitBarrier(Thread& thread, pthread_barrier_t* barrier, const Place& place);
// `error` is what the real function returned.
void InitBarrier(Thread& thread, pthread_barrier_t* barrier, unsigned count,
                 int error, const Place& place);
int DestroyBarrier(Thread& thread, pthread_barrier_t* barrier,
                   const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_BARRIER_H_
