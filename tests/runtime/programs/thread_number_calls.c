// Calls that name a thread by its number find it: affinity, priorities, limits,
// signals, and the clock of its processor time.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  4

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "verify.h"

static void* ask(void* unused) {
  const pid_t self = gettid();
  cpu_set_t set;
  struct sched_param parameter = {0};
  struct rlimit limit;
  struct timespec time;
  clockid_t clock;
  void* robust;
  size_t bytes;
  VERIFY(sched_getaffinity(self, sizeof(set), &set) == 0);
  VERIFY(sched_setaffinity(self, sizeof(set), &set) == 0);
  VERIFY(setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self)) == 0);
  VERIFY(sched_getscheduler(self) == SCHED_OTHER);
  VERIFY(sched_setscheduler(self, SCHED_OTHER, &parameter) == 0);
  VERIFY(sched_getparam(self, &parameter) == 0);
  VERIFY(sched_rr_get_interval(self, &time) == 0);
  VERIFY(syscall(SYS_ioprio_get, 1, self) >= 0);
  VERIFY(syscall(SYS_get_robust_list, self, &robust, &bytes) == 0);
  VERIFY(prlimit(self, RLIMIT_NOFILE, 0, &limit) == 0);
  VERIFY(kill(self, 0) == 0 && tgkill(getpid(), self, 0) == 0);
  VERIFY(pthread_getcpuclockid(pthread_self(), &clock) == 0);
  VERIFY(clock_gettime(clock, &time) == 0);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  ask(0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, ask, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
