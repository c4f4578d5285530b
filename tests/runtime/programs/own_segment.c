// Each thread has its own base of %gs, and begins with its maker's; and its own
// set of processors.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  16

#define _GNU_SOURCE
#include <asm/prctl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

static long cells[4] = {1, 2, 3, 4};

static long read_own(void) {
  long value;
  __asm__ volatile("movq %%gs:0, %0" : "=r"(value));
  return value;
}

static void* work(void* given) {
  const long own = (long)given;
  unsigned long base = 0;
  VERIFY(read_own() == 4);
  VERIFY(syscall(SYS_arch_prctl, ARCH_SET_GS, &cells[own]) == 0);
  for (int i = 0; i < 5; ++i) {
    usleep(1);
    VERIFY(read_own() == own + 1);
    VERIFY(syscall(SYS_arch_prctl, ARCH_GET_GS, &base) == 0);
    VERIFY(base == (unsigned long)&cells[own]);
  }
  return 0;
}

static void* choose(void* given) {
  cpu_set_t all, own, now;
  VERIFY(sched_getaffinity(0, sizeof(all), &all) == 0);
  CPU_ZERO(&own);
  for (int i = given == 0 ? 0 : CPU_SETSIZE - 1; CPU_COUNT(&own) == 0;
       i += given == 0 ? 1 : -1) {
    if (CPU_ISSET(i, &all)) CPU_SET(i, &own);
  }
  VERIFY(syscall(SYS_sched_setaffinity, 0, sizeof(own), &own) == 0);
  usleep(1);
  VERIFY(sched_getaffinity(0, sizeof(now), &now) == 0);
  VERIFY(CPU_EQUAL(&now, &own));
  return 0;
}

int main(void) {
  pthread_t threads[3];
  VERIFY(syscall(SYS_arch_prctl, ARCH_SET_GS, &cells[3]) == 0);
  for (long i = 0; i < 3; ++i) {
    VERIFY(pthread_create(&threads[i], 0, work, (void*)i) == 0);
  }
  for (int i = 0; i < 3; ++i) VERIFY(pthread_join(threads[i], 0) == 0);
  VERIFY(read_own() == 4);
  for (long i = 0; i < 2; ++i) {
    VERIFY(pthread_create(&threads[i], 0, choose, (void*)i) == 0);
  }
  for (int i = 0; i < 2; ++i) VERIFY(pthread_join(threads[i], 0) == 0);
  return 0;
}
