// Work of a length that differs from run to run, as that of real programs does.
#ifndef JITTER_H_
#define JITTER_H_

#include <stdint.h>
#include <time.h>

static inline uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Between `least` and `most` microseconds of waiting for something else, as for
// a disk or a client.
static inline void work(unsigned least, unsigned most) {
  uint64_t x = now_ns() * 6364136223846793005u + (uint64_t)(uintptr_t)&x;
  x ^= x >> 29;
  x *= 0x9e3779b97f4a7c15u;
  x ^= x >> 32;
  const uint64_t us = least + (most > least ? x % (most - least) : 0);
  const struct timespec time = {0, (long)us * 1000};
  nanosleep(&time, NULL);
}

#endif
