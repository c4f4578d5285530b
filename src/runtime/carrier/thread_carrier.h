// runtime/carrier/thread_carrier.h
//
// Kernel threads that pass a turn: each sleeps on its own futex word until it
// is its turn. Slow (microseconds a switch) and plain: the reference for the
// other carrier, and what a debugger shows as threads.
//
// A kernel thread starts on a launch area with its control block on top, then
// moves to the thread's stack, so that stacks look the same as those of fibers.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_CARRIER_THREAD_CARRIER_H_
#define FAIRLEAD_RUNTIME_CARRIER_THREAD_CARRIER_H_

#include "runtime/carrier/carrier.h"

namespace fairlead::rt {

class ThreadCarrier final : public Carrier {
 public:
  void Adopt(Thread& main) override;
  bool Create(Thread& thread) override;
  void Switch(Thread& from, Thread& to) override;
  void Leave(Thread& from, Thread& to) override;
  void Reclaim(Thread& thread) override;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_CARRIER_THREAD_CARRIER_H_
