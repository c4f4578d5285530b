// EXPECT: null
// The polling thread of a ring goes away by clearing `thread`; telling it to
// park looks at that pointer twice.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct task {
  int pid;
  unsigned wake;
};
struct sq_data {
  pthread_mutex_t lock;
  pthread_mutex_t state_lock;
  struct task* volatile thread;
  int parked;
  int exited;
};

static struct sq_data sqd = {.lock = PTHREAD_MUTEX_INITIALIZER,
                             .state_lock = PTHREAD_MUTEX_INITIALIZER};

static void wake_up(struct task* task) { task->wake |= 1u; }

static void park(struct sq_data* d) {
  pthread_mutex_lock(&d->lock);
  d->parked = 1;
#ifdef FIXED
  pthread_mutex_lock(&d->state_lock);
#endif
  if (d->thread) wake_up(d->thread);
#ifdef FIXED
  pthread_mutex_unlock(&d->state_lock);
#endif
  pthread_mutex_unlock(&d->lock);
}

static void* poller(void* arg) {
  struct sq_data* d = arg;
  for (int i = 0; i < 3; ++i) sched_yield();
  pthread_mutex_lock(&d->state_lock);
  d->thread = NULL;
  d->exited = 1;
  pthread_mutex_unlock(&d->state_lock);
  return NULL;
}

static void* submitter(void* arg) {
  park(arg);
  return NULL;
}

int main(void) {
  static struct task task = {.pid = 9};
  sqd.thread = &task;
  pthread_t a, b;
  pthread_create(&a, NULL, submitter, &sqd);
  pthread_create(&b, NULL, poller, &sqd);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", sqd.exited);
  return 0;
}
