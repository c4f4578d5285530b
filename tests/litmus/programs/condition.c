// A step behind a condition variable, one behind a semaphore, one behind a
// barrier, and one behind a flag that is spun on.

#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static int ready;
static volatile int flag;
static int x;
static int y;

static void* Waiter(void* unused) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);  // #wait
  pthread_mutex_unlock(&m);
  x = 1;  // #behind_wait
  return unused;
}

static void* Waker(void* unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);  // #signal
  pthread_mutex_unlock(&m);
  x = 2;           // #behind_signal
  sem_post(&sem);  // #post
  y = 1;           // #behind_post
  flag = 1;        // #set
  x = 3;           // #behind_set
  pthread_barrier_wait(&barrier);
  y = 2;  // #behind_barrier
  return unused;
}

static void* Third(void* unused) {
  sem_wait(&sem);
  y = 3;  // #behind_sem
  while (!flag) {
  }
  x = 4;  // #behind_spin
  struct timespec while_ = {.tv_sec = 1};
  nanosleep(&while_, NULL);
  x = 5;  // #behind_sleep
  pthread_barrier_wait(&barrier);
  y = 4;  // #third_behind_barrier
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&sem, 0, 0);
  RUN_THREADS(Waiter, Waker, Third);
  return 0;
}
