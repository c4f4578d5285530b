// runtime/model/keys.h
//
// Thread-specific values. libc keeps them, in the control block of each thread,
// which fibers have too. Only the destructors are our business: they are code
// of the program and run at the end of a thread, while it still has the turn.
// libc finds no values left then.
//
// Tier: in-program. Threads: RememberKey and ForgetKey by anybody, as the
// functions that they stand behind; the rest by the holder of the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_KEYS_H_
#define FAIRLEAD_RUNTIME_MODEL_KEYS_H_

#include <pthread.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// libc has made or deleted the key. `destructor` may be null.
void RememberKey(pthread_key_t key, void (*destructor)(void*));
void ForgetKey(pthread_key_t key);

// Runs the destructors of the calling thread's values, again for values that
// they leave behind, PTHREAD_DESTRUCTOR_ITERATIONS times at most.
void RunKeyDestructors(Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_KEYS_H_
