// guard/self.h
//
// What the guard knows of a thread: its number, which is never used again, the
// locks that it holds, and the one that it waits for.
//
// Tier: in-program.

#ifndef FAIRLEAD_GUARD_SELF_H_
#define FAIRLEAD_GUARD_SELF_H_

#include <stdint.h>

#include "guard/shadow.h"

namespace fairlead::guard {

enum class LockKind : uint32_t { kNone, kMutex, kRead, kWrite, kSpin };

struct HeldLock {
  void* lock;
  LockKind kind;
  uint64_t accesses;  // of its thread, when it was taken
};
inline constexpr uint32_t kMaxHeld = 16;

struct Self {
  uint32_t number;    // from 1; 0 = not known yet, kMostThreads = not followed
  uint32_t inside;    // > 0: in the guard; hooks pass through
  uint64_t accesses;  // guarded ones, so far
  Granule* open;      // held since the hook ahead of an access; or null
  Granule* holds;     // by an access under way; null = none
  uintptr_t frame;    // where on the stack that access was begun
  uint32_t num_held;  // may be more than there is room for
  HeldLock held[kMaxHeld];
  // Read by others, who may find it out of date: they only give up a stall.
  void* waits_for;
  uint64_t random;
  uint32_t launched;  // 1 = pthread_create made it, or it is main
};

// Threads have static storage for it: no allocation, no lock.
extern constinit thread_local Self self;

// Once, by main: from now on threads are counted.
void FollowThreads();

// The calling thread's number; given when it is asked for first.
uint32_t NumberOfThread();

// How many threads could do something now: those that live, without those that
// wait for a lock, for another's end, or on a condition variable. Unknown, and
// then many, once a thread came that pthread_create did not make.
struct Living {
  uint32_t threads;  // with main
  uint32_t blocked;
  uint32_t unknown;  // 1 = there may be more
};
extern Living living;
// Whether some thread but the caller, and `stalled` others, could go on.
inline bool OthersCanRun(uint32_t stalled) {
  const auto get = [](const uint32_t& value) {
    return static_cast<int64_t>(__atomic_load_n(&value, __ATOMIC_SEQ_CST));
  };
  return get(living.unknown) != 0 ||
         get(living.threads) - get(living.blocked) - stalled - 1 > 0;
}

// A call in which the thread waits for others.
class Blocked {
 public:
  Blocked() { __atomic_fetch_add(&living.blocked, 1, __ATOMIC_SEQ_CST); }
  ~Blocked() { __atomic_fetch_sub(&living.blocked, 1, __ATOMIC_SEQ_CST); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;
};

// Threads that are waiting for a lock, for those who hold it: at most so many
// are known at a time.
inline constexpr uint32_t kMaxLockWaiters = 256;
extern Self* lock_waiters[kMaxLockWaiters];

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_SELF_H_
