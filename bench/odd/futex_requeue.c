// A lock, a bit set and a requeue made of futex system calls alone.
// FLAGS: -O2

#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "want.h"

enum { kThreads = 3 };

static atomic_uint gate, second, lock, arrived;
static long total;

static long futex(atomic_uint* word, int what, unsigned value, long more,
                  atomic_uint* other, unsigned bits) {
  return syscall(SYS_futex, word, what | FUTEX_PRIVATE_FLAG, value, more, other,
                 bits);
}

static void acquire(void) {
  unsigned free = 0;
  if (atomic_compare_exchange_strong(&lock, &free, 1)) return;
  while (atomic_exchange(&lock, 2) != 0)
    futex(&lock, FUTEX_WAIT, 2, 0, NULL, 0);
}

static void release(void) {
  if (atomic_exchange(&lock, 0) == 2) futex(&lock, FUTEX_WAKE, 1, 0, NULL, 0);
}

static void* body(void* number) {
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&gate) == 0)
    futex(&gate, FUTEX_WAIT_BITSET, 0, 0, NULL, 1u << (long)number);
  for (int i = 0; i < 10; i++) {
    acquire();
    total += (long)number;
    release();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++) threads[i] = start(body, (void*)i);
  while (atomic_load(&arrived) != kThreads) sched_yield();
  want(futex(&gate, FUTEX_WAIT, 1, 0, NULL, 0) == -1 && errno == EAGAIN);
  want(futex(&gate, FUTEX_WAKE_BITSET, 9, 0, NULL, 1u << 9) == 0);
  // Whoever waits by now is moved to another word, and woken there.
  atomic_store(&gate, 1);
  want(futex(&gate, FUTEX_CMP_REQUEUE, 0, 9, &second, 0) == -1);
  want(futex(&gate, FUTEX_CMP_REQUEUE, 0, 9, &second, 1) >= 0);
  futex(&second, FUTEX_WAKE, 9, 0, NULL, 0);
  for (int i = 0; i < kThreads; i++) finish(threads[i]);
  printf("total %ld\n", total);
  return 0;
}
