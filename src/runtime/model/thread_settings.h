// runtime/model/thread_settings.h
//
// What a program may set on a thread and ask back: name, attributes, processor
// affinity, scheduling. The kernel knows such things by kernel thread, which
// fibers do not have; so they are kept here on both carriers, and have no
// effect on what runs when.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_THREAD_SETTINGS_H_
#define FAIRLEAD_RUNTIME_MODEL_THREAD_SETTINGS_H_

#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Bytes of a thread's name with the ending zero, as the kernel has it.
inline constexpr size_t kThreadNameBytes = 16;

// Gives main the process's name, and every other thread its creator's.
void InheritName(Thread& thread);

// For debuggers: gives the kernel thread of `thread`, which calls, the name
// that reports have for it, if the plan asks for that.
void ShowName(const Thread& thread);

// What gettid() answers: the kernel's number for main, carrier/tls.h's for
// others.
int NumberOf(const Thread& thread);

// All return 0 or an error, as the functions of the same purpose do; ESRCH when
// `handle` is no thread.
int SetName(Thread& thread, pthread_t handle, const char* name,
            const Place& place);
int GetName(pthread_t handle, char* buffer, size_t bytes);
int GetAttributes(pthread_t handle, pthread_attr_t* attr);
int SetAffinity(pthread_t handle, size_t bytes, const cpu_set_t* set);
int GetAffinity(pthread_t handle, size_t bytes, cpu_set_t* set);
int SetScheduling(pthread_t handle, int policy, const sched_param* param);
int GetScheduling(pthread_t handle, int* policy, sched_param* param);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_THREAD_SETTINGS_H_
