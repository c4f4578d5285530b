// runtime/model/mutex.h
//
// pthread_mutex_t: who owns it and how deep. All types (normal, adaptive,
// recursive, error-checking) and robustness; priority protocols are accepted
// and have no effect, since nobody runs but by the strategy's choice.
//
//            lock                    end of the owner
//   free ----------> held ---------------------------------> free, owner died
//     ^  <----------   ^                  (robust only)           |
//     |     unlock     | pthread_mutex_consistent                 | lock
//     |                +------------------------------ held, inconsistent
//     |                                                           | unlock
//   (destroy)                                        not recoverable, for good
//
// A mutex shared with other processes is not modelled (model/shared.h).
//
// Each function is called by a hook with the calling thread and place, is one
// point, emits its events, and returns what the real function would.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_MUTEX_H_
#define FAIRLEAD_RUNTIME_MODEL_MUTEX_H_

#include <pthread.h>

#include "runtime/model/deadline.h"
#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct Mutex : Object {
  static constexpr ObjectKind kKind = ObjectKind::kMutex;
  Thread* owner;       // null = free
  uint32_t depth;      // locks by the owner that are not unlocked
  bool initialised;    // by pthread_mutex_init, for this process alone
  bool owner_died;     // free since its owner ended; the next one is told
  bool inconsistent;   // held by one that was told and has not repaired it
  bool unrecoverable;  // given up while inconsistent
  Cause released;      // the last time
  Mutex* next_robust;  // held by the same thread, and robust
};

int LockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place);
int TimedLockMutex(Thread& thread, pthread_mutex_t* mutex, const Until& until,
                   const Place& place);
int TryLockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place);
int UnlockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place);
int MakeMutexConsistent(Thread& thread, pthread_mutex_t* mutex,
                        const Place& place);
// The real function has filled *mutex.
void InitMutex(Thread& thread, pthread_mutex_t* mutex,
               const pthread_mutexattr_t* attr, const Place& place);
int DestroyMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place);

// Whether other processes may use it too.
bool IsSharedMutex(const pthread_mutex_t* mutex);

// Parts that condition variables and the ends of threads need too.

// The mutex at this address, made anew if a static initialiser was there.
Mutex& FindMutex(const pthread_mutex_t* mutex);
// The intent to take the mutex; `op` says why.
Intent WantMutex(EventKind op, Mutex& mutex);
// Takes a free mutex `depth` times: 0, EOWNERDEAD, or ENOTRECOVERABLE and it is
// not taken.
int TakeMutex(Thread& thread, Mutex& mutex, uint32_t depth);
// Gives it up altogether; returns how deep it was held.
uint32_t ReleaseMutex(Thread& thread, Mutex& mutex);
// The thread ends: the robust mutexes that it holds tell the next one.
void AbandonMutexes(Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_MUTEX_H_
