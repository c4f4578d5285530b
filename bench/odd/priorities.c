// Names, priorities, policies and processors of threads, set and asked for.
// FLAGS: -O1

#define _GNU_SOURCE
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "want.h"

static pthread_barrier_t both;

static void* body(void* number) {
  char name[16], expected[16];
  snprintf(expected, sizeof(expected), "odd-%ld", (long)number);
  want(pthread_setname_np(pthread_self(), expected) == 0);
  pthread_barrier_wait(&both);
  want(pthread_getname_np(pthread_self(), name, sizeof(name)) == 0);
  want(strcmp(name, expected) == 0);
  want(prctl(PR_SET_NAME, "renamed") == 0);
  want(prctl(PR_GET_NAME, name) == 0 && strcmp(name, "renamed") == 0);
  cpu_set_t allowed;
  want(pthread_getaffinity_np(pthread_self(), sizeof(allowed), &allowed) == 0);
  want(CPU_COUNT(&allowed) > 0);
  want(pthread_setaffinity_np(pthread_self(), sizeof(allowed), &allowed) == 0);
  int policy;
  struct sched_param priority;
  want(pthread_getschedparam(pthread_self(), &policy, &priority) == 0);
  want(policy == SCHED_OTHER && priority.sched_priority == 0);
  want(pthread_setschedparam(pthread_self(), SCHED_BATCH, &priority) == 0);
  priority.sched_priority = 1000;
  want(pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == EINVAL);
  pthread_barrier_wait(&both);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&both, NULL, 2);
  const pthread_t one = start(body, (void*)1), two = start(body, (void*)2);
  finish(one);
  finish(two);
  want(setpriority(PRIO_PROCESS, 0, 5) == 0);
  errno = 0;
  want(getpriority(PRIO_PROCESS, 0) == 5 && errno == 0);
  want(nice(1) == 6);
  want(sched_get_priority_max(SCHED_FIFO) == 99);
  want(prctl(PR_SET_DUMPABLE, 0) == 0 && prctl(PR_GET_DUMPABLE) == 0);
  puts("as asked for");
  return 0;
}
