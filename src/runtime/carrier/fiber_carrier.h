// runtime/carrier/fiber_carrier.h
//
// Fibers: all threads of the program on one kernel thread. A switch stores and
// loads a few registers and the fs base: about 30 nanoseconds. The kernel sees
// a single-threaded process.
//
// What the kernel keeps per thread (signal mask, tid, priority) is kept by
// models instead (model/signals.h, model/thread_settings.h).
//
// Tier: in-program. Threads: there is one.

#ifndef FAIRLEAD_RUNTIME_CARRIER_FIBER_CARRIER_H_
#define FAIRLEAD_RUNTIME_CARRIER_FIBER_CARRIER_H_

#include "runtime/carrier/carrier.h"

namespace fairlead::rt {

class FiberCarrier final : public Carrier {
 public:
  // Why it does not work on this system, in words; null when it does. Runs a
  // fiber to find out.
  const char* WhyNot();

  void Adopt(Thread& main) override;
  bool Create(Thread& thread) override;
  void Switch(Thread& from, Thread& to) override;
  void Leave(Thread& from, Thread& to) override;
  void Reclaim(Thread& thread) override;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_CARRIER_FIBER_CARRIER_H_
