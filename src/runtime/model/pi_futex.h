// runtime/model/pi_futex.h
//
// Futexes that know who holds them: FUTEX_LOCK_PI and its relatives, as
// programs make locks of them through syscall(). The word holds the number of
// the owner (gettid) and FUTEX_WAITERS while somebody waits. A free one is
// taken and given back by the program without a call; what comes here is
// contended. Which waiter gets it from its owner is a choice, the first by
// default: priorities have no effect.
//
// Unsound: what the kernel does when an owner ends without unlocking
// (FUTEX_OWNER_DIED) is not modelled. Mutexes of libc are model/mutex.h's,
// whatever their protocol.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_PI_FUTEX_H_
#define FAIRLEAD_RUNTIME_MODEL_PI_FUTEX_H_

#include <stdint.h>

#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// On the stack of a waiting thread.
struct PiWaiter {
  Thread* thread;
  Cause unlocked;  // no thread = it has not been given the lock
  PiWaiter* next;  // arrived later
};

struct PiFutex : Object {
  static constexpr ObjectKind kKind = ObjectKind::kPiFutex;
  PiWaiter* first;
};

// 0, ETIMEDOUT, EDEADLK when the thread holds it or its owner waits for the
// thread, over locks of this kind; ESRCH when no thread of the
// process does although the word says so. `deadline_ns` on the virtual clock.
int LockPiFutex(Thread& thread, uint32_t* word, uint64_t deadline_ns,
                const Place& place);

// The same without waiting: EAGAIN when another thread holds it.
int TryLockPiFutex(Thread& thread, uint32_t* word, const Place& place);

// 0, or EPERM when the thread does not hold it.
int UnlockPiFutex(Thread& thread, uint32_t* word, const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_PI_FUTEX_H_
