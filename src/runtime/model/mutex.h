// runtime/model/mutex.h
//
// pthread_mutex_t: who owns it and how deep. Types: normal, adaptive, recursive
// and error-checking; the type is read from the mutex itself, where the real
// pthread_mutex_init or a static initialiser has put it.
//
// Each function is called by a hook with the calling thread and place, is one
// point, emits its events, and returns what the real function would.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_MUTEX_H_
#define FAIRLEAD_RUNTIME_MODEL_MUTEX_H_

#include <pthread.h>

#include "runtime/gate/thread.h"
#include "runtime/model/objects.h"

namespace fairlead::rt {

struct Mutex : Object {
  static constexpr ObjectKind kKind = ObjectKind::kMutex;
  Thread* owner;     // null = free
  uint32_t depth;    // locks by the owner that are not unlocked
  Thread* releaser;  // who unlocked it last; null = nobody yet
};

int LockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place);
int TryLockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place);
int UnlockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place);
void InitMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place);
int DestroyMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place);

// Parts that condition variables need too.

// The intent to take the mutex; `op` says why.
Intent WantMutex(EventKind op, Mutex& mutex);
// Takes a free mutex `depth` times.
void TakeMutex(Thread& thread, Mutex& mutex, uint32_t depth);
// Gives it up altogether; returns how deep it was held.
uint32_t ReleaseMutex(Thread& thread, Mutex& mutex);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_MUTEX_H_
