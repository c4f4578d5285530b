// runtime/intercept/c11.h
//
// What the hooks of C11's <threads.h> share: its primitives are those of POSIX
// under other names and with other results.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_C11_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_C11_H_

#include <errno.h>
#include <pthread.h>
#include <threads.h>

namespace fairlead::rt {

// As glibc translates the errors of POSIX.
constexpr int ToC11(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

inline pthread_mutex_t* ToPosix(mtx_t* mutex) {
  static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t));
  return reinterpret_cast<pthread_mutex_t*>(mutex);
}

inline pthread_cond_t* ToPosix(cnd_t* cond) {
  static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t));
  return reinterpret_cast<pthread_cond_t*>(cond);
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_C11_H_
