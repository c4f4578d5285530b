// System calls as 32-bit programs make them have other numbers: 20 asks for the
// process's number, 1 ends a thread, 4 writes.
//
// EXPECT: ended(3)
// PLAIN:  3
// SEEDS:  4

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

static long call(long number, long first, long second, long third) {
  long result;
  __asm__ volatile("int $0x80"
                   : "=a"(result)
                   : "a"(number), "b"(first), "c"(second), "d"(third)
                   : "memory", "r8", "r9", "r10", "r11");
  return (int)result;
}

static void* ask(void* unused) {
  VERIFY(call(20, 0, 0, 0) == getpid());
  VERIFY(call(64, 0, 0, 0) == getppid());
  VERIFY(call(224, 0, 0, 0) == gettid());
  VERIFY(call(4, -1, 0, 0) == -9);
  VERIFY(call(6, 1000, 0, 0) == -9);
  return unused;
}

int main(void) {
  pthread_t other;
  VERIFY(pthread_create(&other, 0, ask, 0) == 0);
  ask(0);
  VERIFY(pthread_join(other, 0) == 0);
  call(252, 3, 0, 0);
  return 1;
}
