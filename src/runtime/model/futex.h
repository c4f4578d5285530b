// runtime/model/futex.h
//
// Futexes, as programs use them through syscall(SYS_futex, ...): libstdc++ for
// atomic::wait and what is built on it (latch, barrier, semaphores, futures),
// and hand-made locks. Who waits for which word, in order of arrival; who is
// woken is a choice, the first by default.
//
// Words of memory that is shared with other processes are treated alike, and
// real wakes are sent as well. Unsound: a wake from another process is not
// seen. Operations that know an owner are in model/pi_futex.h.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_FUTEX_H_
#define FAIRLEAD_RUNTIME_MODEL_FUTEX_H_

#include <stdint.h>

#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// On the stack of a waiting thread.
struct FutexWaiter {
  Thread* thread;
  const uint32_t* word;  // changes when it is requeued
  uint32_t bitset;
  Cause woken;        // no thread = not woken
  FutexWaiter* next;  // arrived later
};

struct Futex : Object {
  static constexpr ObjectKind kKind = ObjectKind::kFutex;
  FutexWaiter* first;
};

// Waits while *word == expected, for a wake that shares a bit with `bitset`. 0,
// EAGAIN or ETIMEDOUT; `deadline_ns` on the virtual clock.
int WaitFutex(Thread& thread, const uint32_t* word, uint32_t expected,
              uint32_t bitset, uint64_t deadline_ns, const Place& place);

// Wakes up to `count` waiters that share a bit with `bitset`; returns how many.
uint32_t WakeFutex(Thread& thread, const uint32_t* word, uint32_t count,
                   uint32_t bitset, const Place& place);

// Wakes up to `wake` waiters of `from` and makes up to `move` of the others
// wait for `to`. The same point as a wake. Returns how many were woken.
struct Requeued {
  uint32_t woken;
  uint32_t moved;
};
Requeued RequeueFutex(Thread& thread, const uint32_t* from, uint32_t wake,
                      const uint32_t* to, uint32_t move);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_FUTEX_H_
