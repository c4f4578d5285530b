// Semaphores: counts, tries, times, and what glibc says to too many posts.
//
// EXPECT: ended(0) ended(7)
// EVENTS: sem-wait sem-post woken-by-post timed-out init destroy

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#include "verify.h"

static sem_t items;
static int sum;

static void* produce(void* unused) {
  (void)unused;
  for (int i = 0; i < 6; ++i) VERIFY(sem_post(&items) == 0);
  return 0;
}

static void* consume(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) {
    VERIFY(sem_wait(&items) == 0);
    __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  int value;
  struct timespec past = {.tv_sec = 1, .tv_nsec = 0};
  struct timespec nonsense = {.tv_sec = 1, .tv_nsec = 2000000000};
  VERIFY(sem_init(&items, 0, (unsigned)SEM_VALUE_MAX + 1) == -1);
  VERIFY(errno == EINVAL);
  VERIFY(sem_init(&items, 0, 0) == 0);
  pthread_create(&threads[0], 0, produce, 0);
  pthread_create(&threads[1], 0, consume, 0);
  pthread_create(&threads[2], 0, consume, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  VERIFY(sum == 6);
  VERIFY(sem_getvalue(&items, &value) == 0 && value == 0);
  VERIFY(sem_trywait(&items) == -1 && errno == EAGAIN);
  VERIFY(sem_timedwait(&items, &past) == -1 && errno == ETIMEDOUT);
  VERIFY(sem_timedwait(&items, &nonsense) == -1 && errno == EINVAL);
  VERIFY(sem_clockwait(&items, CLOCK_MONOTONIC, &past) == -1);
  VERIFY(errno == ETIMEDOUT);
  VERIFY(sem_post(&items) == 0);
  VERIFY(sem_timedwait(&items, &past) == 0);
  pthread_create(&threads[0], 0, produce, 0);
  struct timespec soon = in_ms(CLOCK_MONOTONIC, 5000);
  int late = sem_clockwait(&items, CLOCK_MONOTONIC, &soon) != 0;
  pthread_join(threads[0], 0);
  VERIFY(sem_destroy(&items) == 0);
  VERIFY(sem_init(&items, 0, SEM_VALUE_MAX) == 0);
  VERIFY(sem_post(&items) == -1 && errno == EOVERFLOW);
  return late ? 7 : 0;
}
