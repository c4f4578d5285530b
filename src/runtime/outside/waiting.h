// runtime/outside/waiting.h
//
// Threads that wait for descriptors, and the rule of real time:
//
//   A wait is *domestic* when only threads of this process can end it (a pipe,
//   an eventfd, a pair of sockets that it has made and given to nobody), and
//   *foreign* otherwise.
//   A thread that finds its descriptors not ready is parked; the others go on.
//   Descriptors are looked at again after each call that may change one, every
//   64 points, and when nobody else can move.
//   When nobody can move and all waits are domestic, no real time passes: the
//   earliest deadline does, or it is a deadlock.
//   When nobody can move and a wait is foreign, the process waits in the
//   kernel, at most until the earliest deadline by the real clock; the virtual
//   clock advances by what that took.
//   A domestic wait with a deadline may time out by choice; a foreign one times
//   out when its time is over.
//
// Unsound: that two ends of a TCP connection belong to one process is not seen:
// a deadlock over it is found only by the time limit.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_WAITING_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_WAITING_H_

#include <poll.h>
#include <stdint.h>

#include "runtime/gate/outside.h"
#include "runtime/outside/call.h"
#include "runtime/sys/text.h"
#include "runtime/thread/signals.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// On the stack of the thread that waits: until one of `fds` is ready.
struct OutsideWait {
  pollfd* fds;
  uint32_t num_fds;
  bool foreign;
  Interruption interruption = Interruption::kUnlessRestart;
  // For a wait for something else than descriptors: whether it is over, and
  // what it is for, in words. `sought` is for `look` alone. Unless the change
  // is `unannounced`, it comes with a signal of the kernel's.
  bool (*look)(const OutsideWait& wait) = nullptr;
  const void* sought = nullptr;
  const char* what = nullptr;
  bool unannounced = false;
  bool ready = false;
  uint64_t moment = 0;  // when it was found ready
  Thread* thread = nullptr;
  OutsideWait* next = nullptr;  // parked later
};

// The object of intents on a descriptor; null for none in particular.
inline const void* ObjectOf(int fd) {
  return reinterpret_cast<const void*>(static_cast<uintptr_t>(fd) + 1);
}

// The point ahead of a call that does not wait.
void ArriveOutside(Call& call, EventKind op, const void* object);

// The point ahead of a call that waits for descriptors: comes back when one is
// ready, at `deadline_ns` (kTimedOut), or for another reason.
Wake AwaitOutside(Call& call, OutsideWait& wait, const void* object,
                  uint64_t deadline_ns);

// What a call returns whose wait was not ended by readiness; does not return to
// a thread that is cancelled.
long EndedEarly(Call& call, Wake wake);

// An attempt that did not wait found nothing: a loop of them lets others run,
// and real time pass if it is `foreign`.
void FoundNothing(Call& call, bool foreign, long what);

// The signals that parked threads wait for, through descriptors.
SignalSet SignalsAwaitedOutside();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_WAITING_H_
