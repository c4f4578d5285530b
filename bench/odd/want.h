// What the odd programs share: a condition that must hold, and a thread in one
// line. Not part of the product.
#ifndef FAIRLEAD_BENCH_ODD_WANT_H_
#define FAIRLEAD_BENCH_ODD_WANT_H_

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define want(condition)                                               \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, \
              #condition, strerror(errno));                           \
      exit(2);                                                        \
    }                                                                 \
  } while (0)

static inline pthread_t start(void* (*body)(void*), void* argument) {
  pthread_t thread;
  want(pthread_create(&thread, NULL, body, argument) == 0);
  return thread;
}

static inline void* finish(pthread_t thread) {
  void* result = NULL;
  want(pthread_join(thread, &result) == 0);
  return result;
}

#endif  // FAIRLEAD_BENCH_ODD_WANT_H_
