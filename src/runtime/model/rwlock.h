// runtime/model/rwlock.h
//
// pthread_rwlock_t: one writer, or readers, each as often as it likes. Who goes
// first is the strategy's choice, except where glibc promises something: while
// a writer waits, a lock of the kind PREFER_WRITER_NONRECURSIVE_NP lets no new
// readers in (the kind PREFER_WRITER_NP does, as with glibc).
//
// Who holds it is also written into the lock, as with mutexes
// (model/mutex_layout.h). One shared with other processes is tried
// (model/shared.h).
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_RWLOCK_H_
#define FAIRLEAD_RUNTIME_MODEL_RWLOCK_H_

#include <pthread.h>

#include "runtime/model/deadline.h"
#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// A thread that reads, and how often it has locked.
struct Reader {
  Thread* thread;
  uint32_t depth;
  Reader* next;
};

struct Rwlock : Object {
  static constexpr ObjectKind kKind = ObjectKind::kRwlock;
  Thread* writer;            // null = none; then there may be readers
  Reader* readers;           // the last to come first
  uint32_t num_reads;        // sum of their depths
  uint32_t waiting_writers;  // that found it held
  Cause write_released;      // the last write ended
  Cause read_released;       // the last read since then ended
};

enum class LockMode { kRead, kWrite };

int LockRwlock(Thread& thread, pthread_rwlock_t* lock, LockMode mode,
               const Until& until, const Place& place);
int TryLockRwlock(Thread& thread, pthread_rwlock_t* lock, LockMode mode,
                  const Place& place);
int UnlockRwlock(Thread& thread, pthread_rwlock_t* lock, const Place& place);
// The real function has filled *lock.
void InitRwlock(Thread& thread, pthread_rwlock_t* lock, const Place& place);
int DestroyRwlock(Thread& thread, pthread_rwlock_t* lock, const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_RWLOCK_H_
