// runtime/model/guard.h
//
// Guards of C++ function-local statics (__cxa_guard_acquire and relatives of
// the Itanium C++ ABI): who is initialising. The first byte of the guard says
// whether it is done; compiled code reads it without asking us.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_GUARD_H_
#define FAIRLEAD_RUNTIME_MODEL_GUARD_H_

#include <stdint.h>

#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct Guard : Object {
  static constexpr ObjectKind kKind = ObjectKind::kGuard;
  Thread* initialiser;  // null = nobody at the moment
  Cause done;           // no thread = not done
};

// Waits until nobody initialises. True: the caller has to, and must end it with
// FinishGuard. False: it is done.
bool AcquireGuard(Thread& thread, uint64_t* guard, const Place& place);

// kAborted: an exception has left the initialiser; the next one tries again.
enum class GuardEnd { kDone, kAborted };
void FinishGuard(Thread& thread, uint64_t* guard, GuardEnd end,
                 const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_GUARD_H_
