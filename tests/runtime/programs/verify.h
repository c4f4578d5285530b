// tests/runtime/programs/verify.h
//
// What programs check about themselves: prints the line and ends with code 1.

#ifndef FAIRLEAD_TESTS_RUNTIME_PROGRAMS_VERIFY_H_
#define FAIRLEAD_TESTS_RUNTIME_PROGRAMS_VERIFY_H_

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define VERIFY(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

// An absolute time some milliseconds from now.
static inline struct timespec in_ms(clockid_t clock, long ms) {
  struct timespec when;
  clock_gettime(clock, &when);
  when.tv_sec += ms / 1000;
  when.tv_nsec += ms % 1000 * 1000000;
  if (when.tv_nsec >= 1000000000) {
    when.tv_nsec -= 1000000000;
    ++when.tv_sec;
  }
  return when;
}

#endif  // FAIRLEAD_TESTS_RUNTIME_PROGRAMS_VERIFY_H_
