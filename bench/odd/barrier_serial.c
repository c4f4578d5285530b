// One thread of each round of a barrier is the serial one; rwlocks and
// semaphores at the edges of what they may say.
// FLAGS: -O2

#define _GNU_SOURCE
#include <limits.h>
#include <semaphore.h>
#include <time.h>

#include "want.h"

enum { kThreads = 4, kRounds = 5 };

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int serial[kRounds];

static void* body(void* unused) {
  for (int round = 0; round < kRounds; round++) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      pthread_mutex_lock(&mutex);
      serial[round]++;
      pthread_mutex_unlock(&mutex);
    }
  }
  return unused;
}

static void* refused(void* rwlock) {
  const struct timespec past = {1, 0};
  want(pthread_rwlock_tryrdlock(rwlock) == EBUSY);
  want(pthread_rwlock_trywrlock(rwlock) == EBUSY);
  want(pthread_rwlock_timedwrlock(rwlock, &past) == ETIMEDOUT);
  want(pthread_rwlock_clockrdlock(rwlock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  want(pthread_barrier_init(&barrier, NULL, kThreads) == 0);
  for (int i = 0; i < kThreads; i++) threads[i] = start(body, NULL);
  for (int i = 0; i < kThreads; i++) finish(threads[i]);
  for (int i = 0; i < kRounds; i++) printf("%d", serial[i]);
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  want(pthread_rwlock_wrlock(&rwlock) == 0);
  finish(start(refused, &rwlock));
  want(pthread_rwlock_unlock(&rwlock) == 0);
  sem_t semaphore;
  int value;
  want(sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
  want(sem_getvalue(&semaphore, &value) == 0 && value == SEM_VALUE_MAX);
  want(sem_init(&semaphore, 0, 0) == 0);
  want(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  puts(", edges as they are");
  return 0;
}
