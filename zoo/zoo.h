/* zoo/zoo.h
 *
 * What the programs of the zoo share: a start line that all threads cross
 * together, and ordinary work. Everything is static, so a program is one file
 * and this header, in C or C++.
 *
 * The work is what keeps a bug rare in plain runs: it sets apart in time what
 * must meet for the failure. `zoo_device` is a disk, a network peer or a user
 * that takes so long; under Fairlead it takes no time, and may be over at once.
 * `zoo_compute` is arithmetic on locals, and so adds no points.
 */

#ifndef ZOO_ZOO_H_
#define ZOO_ZOO_H_

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_barrier_t zoo_line;

/* To be called once, before the threads: how many will cross the line. */
static inline void zoo_threads(unsigned num_threads) {
  pthread_barrier_init(&zoo_line, NULL, num_threads);
}

/* Waits for all others at the start line. */
static inline void zoo_start(void) { pthread_barrier_wait(&zoo_line); }

static inline pthread_t zoo_spawn(void* (*routine)(void*), void* argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, routine, argument) != 0) exit(3);
  return thread;
}

static inline void zoo_join(pthread_t thread) { pthread_join(thread, NULL); }

/* About a nanosecond per round. The result depends on both arguments. */
static inline unsigned zoo_compute(unsigned rounds, unsigned value) {
  for (unsigned i = 0; i < rounds; ++i) {
    value ^= value << 13;
    value ^= value >> 17;
    value ^= value << 5;
    value += i;
  }
  return value;
}

static inline void zoo_device(unsigned us) { usleep(us); }

/* The end of a run whose output is wrong: says why, exits with 1. */
static inline void zoo_wrong(const char* what, long got, long expected) {
  fprintf(stderr, "wrong: %s: %ld instead of %ld\n", what, got, expected);
  exit(1);
}

#endif /* ZOO_ZOO_H_ */
