// The processor's own clock and description are the program's: time stamps go
// with the virtual clock, and no processor of the machine is told from another.
// Children and what they become have what is real.
//
// EXPECT: replaced(0)
// REPEATS: replayed
// SEEDS: 4

#include <cpuid.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "verify.h"

extern char** environ;
static const int64_t second = 1000000000;

static int64_t clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * second + now.tv_nsec;
}

static void* look(void* unused) {
  const int64_t before = clock_ns();
  const int64_t ticks = (int64_t)__rdtsc();
  unsigned processor = 1;
  const int64_t later = (int64_t)__rdtscp(&processor);
  VERIFY(before < ticks && ticks < later && later < clock_ns());
  VERIFY(processor == 0);
  sleep(3600);
  VERIFY((int64_t)__rdtsc() - later >= 3600 * second);
  // A loop that waits by looking ends.
  while ((int64_t)__rdtsc() < later + 3601 * second) usleep(100000);
  return 0;
}

static void ask_who(void) {
  unsigned a, b, c, d;
  enum { kGetCpuid = 0x1011 };
  if (syscall(SYS_arch_prctl, kGetCpuid, 0) != 0) return;  // it cannot fault
  __cpuid(1, a, b, c, d);
  VERIFY(b >> 24 == 0 && (c & bit_RDRND) == 0);
  VERIFY(d & bit_SSE2);
  if (__get_cpuid_count(0xb, 0, &a, &b, &c, &d)) VERIFY(d == 0);
}

static int ends_well(pid_t child) {
  int status = 1;
  VERIFY(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char** argv) {
  unsigned a, b, c, d;
  if (argc > 1) {  // as a child that runs free
    __cpuid(1, a, b, c, d);
    return __rdtsc() == __rdtsc();
  }
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  ask_who();
  look(0);
  pthread_join(thread, 0);

  char* arguments[] = {argv[0], "child", 0};
  pid_t child = fork();
  if (child == 0) _exit(__rdtsc() == __rdtsc());
  VERIFY(ends_well(child));
  VERIFY(posix_spawn(&child, argv[0], 0, 0, arguments, environ) == 0);
  VERIFY(ends_well(child));
  child = vfork();
  if (child == 0) {
    execv(argv[0], arguments);
    _exit(3);
  }
  VERIFY(ends_well(child));
  char command[4096];
  snprintf(command, sizeof(command), "'%s' child", argv[0]);
  VERIFY(system(command) == 0);
  execv("/nowhere", arguments);  // and still controlled
  VERIFY((int64_t)__rdtsc() < clock_ns());
  execv(argv[0], arguments);
  return 4;
}
