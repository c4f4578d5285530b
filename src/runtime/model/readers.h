// runtime/model/readers.h
//
// The threads that read under a rwlock, and how deep each is.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_READERS_H_
#define FAIRLEAD_RUNTIME_MODEL_READERS_H_

#include "runtime/model/rwlock.h"

namespace fairlead::rt {

bool Reads(const Rwlock& lock, const Thread& thread);

// One read more; returns how deep the thread is now.
uint32_t AddReader(Rwlock& lock, Thread& thread);

// One read less, of this thread or, if it does not read, of the one that came
// last. There is one. Returns how deep that is now.
uint32_t RemoveReader(Rwlock& lock, const Thread& thread);

// The lock is no more.
void ForgetReaders(Rwlock& lock);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_READERS_H_
