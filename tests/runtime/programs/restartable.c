// Restartable sequences of the kernel: no thread has them, on either carrier,
// so that nobody is told on which processor it happens to be.
//
// EXPECT: ended(0)
// SEEDS:  4

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

static void* look(void* unused) {
  const struct rseq* area =
      (struct rseq*)((char*)__builtin_thread_pointer() + __rseq_offset);
  VERIFY(area->cpu_id == (unsigned)RSEQ_CPU_ID_REGISTRATION_FAILED);
  VERIFY(sched_getcpu() == 0);
  static __thread struct rseq own __attribute__((aligned(32)));
  VERIFY(syscall(SYS_rseq, &own, 32, 0, RSEQ_SIG) == -1 && errno == ENOSYS);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  look(0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, look, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
