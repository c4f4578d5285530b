/* bench/guard/scale.h
 *
 * Included ahead of everything in a specimen of the zoo: its delays, which keep
 * the bug rare in plain runs, become random ones of a part of their length, so
 * that plain runs fail often and a stall of 10 ms can bridge them.
 * ZOO_DELAY_PERCENT says which part (5).
 */

#ifndef BENCH_GUARD_SCALE_H_
#define BENCH_GUARD_SCALE_H_

#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline int scaled_usleep(unsigned us) {
  const char* percent = getenv("ZOO_DELAY_PERCENT");
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  uint64_t random = (uint64_t)time.tv_nsec * 6364136223846793005u +
                    (uint64_t)(uintptr_t)&time;
  random ^= random >> 31;
  random *= 0x9e3779b97f4a7c15u;
  random ^= random >> 29;
  const uint64_t most =
      2ull * us * (percent == NULL ? 5 : strtoul(percent, NULL, 10)) / 100;
  const uint64_t ns = most == 0 ? 0 : random % (most * 1000);
  time.tv_sec = (time_t)(ns / 1000000000u);
  time.tv_nsec = (long)(ns % 1000000000u);
  return nanosleep(&time, NULL);
}

#define usleep scaled_usleep

#endif /* BENCH_GUARD_SCALE_H_ */
