// runtime/carrier/carrier.h
//
// A carrier runs the program's threads one at a time. The gate says who; the
// carrier knows how: kernel threads that pass a turn (thread_carrier.h, the
// reference, and what a debugger shows), or fibers on one kernel thread
// (fiber_carrier.h, a hundred times faster). A schedule means the same on both:
// a thread's stack, control block and handle have the same addresses.
//
// Tier: in-program. Threads: every method is called by the holder of the turn.

#ifndef FAIRLEAD_RUNTIME_CARRIER_CARRIER_H_
#define FAIRLEAD_RUNTIME_CARRIER_CARRIER_H_

#include "runtime/thread/thread.h"

namespace fairlead::rt {

class Carrier {
 public:
  // Makes the calling kernel thread carry `main`.
  virtual void Adopt(Thread& main) = 0;

  // Prepares `thread`, whose stack is set: the first Switch to it runs
  // ThreadMain(thread) at its stack_top. Sets thread_pointer and handle. False
  // when the system has no room for another thread.
  virtual bool Create(Thread& thread) = 0;

  // Suspends `from`, which is running, and lets `to` go on; comes back when
  // somebody switches to `from`.
  virtual void Switch(Thread& from, Thread& to) = 0;

  // `from`, which is running, ends; `to` goes on. If it returns, `from` has the
  // turn no longer and must return from ThreadMain at once.
  virtual void Leave(Thread& from, Thread& to) = 0;

  // `thread` has left and its stack is wanted for another: waits until nothing
  // runs on it any more.
  virtual void Reclaim(Thread& thread) = 0;

 protected:
  ~Carrier() = default;
};

// The whole life of a thread other than main, on its own stack.
// `thread` is a Thread*; this is what context.h calls.
void ThreadMain(void* thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_CARRIER_CARRIER_H_
