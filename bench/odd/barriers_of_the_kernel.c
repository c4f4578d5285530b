// membarrier, rseq and getcpu, asked for by a thread that has company.
// FLAGS: -O2

#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/rseq.h>
#include <sys/syscall.h>

#include "want.h"

static atomic_int flag_a, flag_b;

static long membarrier(int what) { return syscall(SYS_membarrier, what, 0, 0); }

// Dekker with the heavy fence on one side only.
static void* light(void* unused) {
  atomic_store_explicit(&flag_a, 1, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  return atomic_load_explicit(&flag_b, memory_order_relaxed) ? unused : &flag_a;
}

static void* heavy(void* unused) {
  atomic_store_explicit(&flag_b, 1, memory_order_relaxed);
  want(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0);
  return atomic_load_explicit(&flag_a, memory_order_relaxed) ? unused : &flag_b;
}

int main(void) {
  const long known = membarrier(MEMBARRIER_CMD_QUERY);
  want(known & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  want(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0);
  for (int i = 0; i < 20; i++) {
    atomic_store(&flag_a, 0);
    atomic_store(&flag_b, 0);
    const pthread_t a = start(light, NULL), b = start(heavy, NULL);
    const void *first_in = finish(a), *second_in = finish(b);
    want(first_in == NULL || second_in == NULL);
  }
  unsigned cpu = ~0u, node = ~0u;
  want(getcpu(&cpu, &node) == 0 && cpu < CPU_SETSIZE);
  want(sched_getcpu() >= 0 && sched_getcpu() < CPU_SETSIZE);
  // Whoever registers another area is told that the library has one already.
  static struct rseq other __attribute__((aligned(32)));
  const long code = syscall(SYS_rseq, &other, 32, 0, RSEQ_SIG);
  printf("rseq size %u, another: %ld\n", __rseq_size, code);
  return 0;
}
