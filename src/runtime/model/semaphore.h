// runtime/model/semaphore.h
//
// sem_t. The count is where glibc keeps it, in the first word of the semaphore,
// and is changed by the real functions, so that getvalue, static storage, named
// semaphores and children of fork all agree.
//
// A named semaphore that this process has made is taken for its own until it
// forks; one that was there before, and an unnamed one initialised as shared,
// is tried (model/shared.h).
// Incomplete: if another process opens a semaphore made here and posts, a
// deadlock may be reported that it would have ended.
//
// Functions return 0 or the error that belongs into errno.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_SEMAPHORE_H_
#define FAIRLEAD_RUNTIME_MODEL_SEMAPHORE_H_

#include <semaphore.h>

#include "runtime/model/deadline.h"
#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct Semaphore : Object {
  static constexpr ObjectKind kKind = ObjectKind::kSemaphore;
  Cause posted;    // the last time
  bool made_here;  // by sem_open of this process
  // As long as it is used as a lock is: who has taken it, and is to post. A
  // second one that takes it meanwhile, or a post by anybody else, shows that
  // it is not; then nobody in particular is waited for.
  const Thread* taker;
  bool no_lock;
};

int WaitSemaphore(Thread& thread, sem_t* semaphore, const Until& until,
                  const Place& place);
int TryWaitSemaphore(Thread& thread, sem_t* semaphore, const Place& place);
int PostSemaphore(Thread& thread, sem_t* semaphore, const Place& place);
int GetSemaphoreValue(Thread& thread, sem_t* semaphore, int* value,
                      const Place& place);
// The real function has filled *semaphore.
void InitSemaphore(Thread& thread, sem_t* semaphore, const Place& place);
void DestroySemaphore(Thread& thread, sem_t* semaphore, const Place& place);

// sem_open has returned `semaphore`, which it created or found.
enum class Opened { kCreated, kFound };
void OpenSemaphore(Thread& thread, sem_t* semaphore, Opened how,
                   const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_SEMAPHORE_H_
