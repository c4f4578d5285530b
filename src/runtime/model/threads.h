// runtime/model/threads.h
//
// The life of threads: create, begin, end, join, detach, exit. The handle that
// the program holds (pthread_t) is the address of the thread's control block,
// as with glibc, and the same on both carriers.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_THREADS_H_
#define FAIRLEAD_RUNTIME_MODEL_THREADS_H_

#include <pthread.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Makes the calling thread the controlled thread `main`.
Thread& AdoptMain();

int CreateThread(Thread& thread, pthread_t* handle, const pthread_attr_t* attr,
                 void* (*start)(void*), void* argument, const Place& place);

// Waits for the end of a thread. `deadline_ns` on the virtual clock.
int JoinThread(Thread& thread, pthread_t handle, void** result,
               uint64_t deadline_ns, const Place& place);
// EBUSY when it has not ended.
int TryJoinThread(Thread& thread, pthread_t handle, void** result,
                  const Place& place);
int DetachThread(Thread& thread, pthread_t handle, const Place& place);

// Ends the calling thread without returning to its start routine; cleanup
// handlers and destructors run (model/unwind.h).
[[noreturn]] void ExitThread(Thread& thread, void* result);

// The same by the system call `exit`: nobody hears of it, and neither handlers
// nor destructors run. Main's frames stay as they are, since others may use
// what is in them.
[[noreturn]] void DropThread(Thread& thread, int code);

// Main has left by pthread_exit: it ends, the process goes on until the last
// thread has ended.
[[noreturn]] void EndMain(Thread& main);

// Takes back what ended threads left, and keeps the threads from number `first`
// on, which have all ended, for reuse: in-process repetition would fill memory.
void RecycleThreads(size_t first);

// The thread behind a handle, ended ones included; null for a stale handle.
Thread* FindThread(pthread_t handle);

// Writes the thread's entry in the control page.
void DescribeThread(const Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_THREADS_H_
