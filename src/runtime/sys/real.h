// runtime/sys/real.h
//
// The functions behind our hooks. Resolved once, at the start of the library or
// when the first hook needs one, whichever comes earlier. Hooks that are called
// by that itself find those resolved so far.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_SYS_REAL_H_
#define FAIRLEAD_RUNTIME_SYS_REAL_H_

#include <aio.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

// Of the C++ ABI library; absent in programs without C++.
extern "C" {
int __cxa_guard_acquire(uint64_t* guard);
void __cxa_guard_release(uint64_t* guard);
void __cxa_guard_abort(uint64_t* guard);
}

// <assert.h> hides it from builds without assertions.
extern "C" void __assert_fail(const char* expression, const char* file,
                              unsigned line, const char* function);

namespace fairlead::rt {

struct RealFunctions {
  bool resolved;
  bool resolving;
#define RT_REAL(name) decltype(&::name) name;
#define RT_REAL_VERSION(name, version) decltype(&::name) name;
#include "runtime/sys/real.inc"
#undef RT_REAL
#undef RT_REAL_VERSION
};

extern constinit RealFunctions real_functions;
void ResolveRealFunctions();

inline const RealFunctions& real() {
  if (!real_functions.resolved && !real_functions.resolving) [[unlikely]]
    ResolveRealFunctions();
  return real_functions;
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SYS_REAL_H_
