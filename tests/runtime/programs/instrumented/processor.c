// Time stamps and what the processor says of itself, kept in memory that is
// traced: the same in every execution, on whatever processor it runs.
//
// EXPECT: ended(0)

#include <cpuid.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

unsigned long long stamps[2][8];
unsigned identity[4];

static void* stamp(void* argument) {
  unsigned long long* mine = argument;
  for (int i = 0; i < 8; ++i) mine[i] = __rdtsc();
  return 0;
}

int main(void) {
  enum { kGetCpuid = 0x1011 };
  if (syscall(SYS_arch_prctl, kGetCpuid, 0) == 0) {
    __cpuid(1, identity[0], identity[1], identity[2], identity[3]);
  }
  pthread_t thread;
  pthread_create(&thread, 0, stamp, stamps[0]);
  stamp(stamps[1]);
  pthread_join(thread, 0);
  return 0;
}
