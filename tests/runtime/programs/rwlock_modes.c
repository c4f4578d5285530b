// Readers together, writers alone, readers recursively; what glibc returns to
// those who try, time out, or ask twice. All kinds of lock.
//
// EXPECT: ended(0)
// EVENTS: lock unlock trylock shared recursive timed-out woken-by-unlock
// PLAIN:  0

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* stranger(void* writing) {
  struct timespec past = {.tv_sec = 1, .tv_nsec = 0};
  struct timespec nonsense = {.tv_sec = 1, .tv_nsec = -1};
  VERIFY(pthread_rwlock_trywrlock(&lock) == EBUSY);
  VERIFY(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
  VERIFY(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past) ==
         ETIMEDOUT);
  VERIFY(pthread_rwlock_timedrdlock(&lock, &nonsense) == EINVAL);
  if (writing) {
    VERIFY(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    VERIFY(pthread_rwlock_timedrdlock(&lock, &past) == ETIMEDOUT);
    return 0;
  }
  VERIFY(pthread_rwlock_tryrdlock(&lock) == 0);
  VERIFY(pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &past) == 0);
  VERIFY(pthread_rwlock_unlock(&lock) == 0);
  VERIFY(pthread_rwlock_unlock(&lock) == 0);
  return 0;
}

static void* write_ten(void* unused) {
  (void)unused;
  for (int i = 0; i < 5; ++i) {
    VERIFY(pthread_rwlock_wrlock(&lock) == 0);
    value += 2;
    VERIFY(pthread_rwlock_unlock(&lock) == 0);
  }
  return 0;
}

static void* read_even(void* unused) {
  (void)unused;
  for (int i = 0; i < 5; ++i) {
    VERIFY(pthread_rwlock_rdlock(&lock) == 0);
    VERIFY(value % 2 == 0);
    VERIFY(pthread_rwlock_unlock(&lock) == 0);
  }
  return 0;
}

static void ask_from_outside(int writing) {
  pthread_t thread;
  pthread_create(&thread, 0, stranger, writing ? &lock : 0);
  pthread_join(thread, 0);
}

static void all(void) {
  pthread_t threads[3];
  VERIFY(pthread_rwlock_wrlock(&lock) == 0);
  VERIFY(pthread_rwlock_wrlock(&lock) == EDEADLK);
  VERIFY(pthread_rwlock_rdlock(&lock) == EDEADLK);
  VERIFY(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  ask_from_outside(1);
  VERIFY(pthread_rwlock_unlock(&lock) == 0);
  VERIFY(pthread_rwlock_rdlock(&lock) == 0);
  VERIFY(pthread_rwlock_rdlock(&lock) == 0);
  VERIFY(pthread_rwlock_trywrlock(&lock) == EBUSY);
  ask_from_outside(0);
  VERIFY(pthread_rwlock_unlock(&lock) == 0);
  VERIFY(pthread_rwlock_unlock(&lock) == 0);
  value = 0;
  pthread_create(&threads[0], 0, write_ten, 0);
  pthread_create(&threads[1], 0, read_even, 0);
  pthread_create(&threads[2], 0, read_even, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  VERIFY(value == 10);
  VERIFY(pthread_rwlock_destroy(&lock) == 0);
}

int main(void) {
  all();
  for (int kind = PTHREAD_RWLOCK_PREFER_READER_NP;
       kind <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; ++kind) {
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    VERIFY(pthread_rwlockattr_setkind_np(&attr, kind) == 0);
    VERIFY(pthread_rwlock_init(&lock, &attr) == 0);
    all();
  }
  lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
  VERIFY(pthread_rwlock_wrlock(&lock) == 0);
  lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
  VERIFY(pthread_rwlock_tryrdlock(&lock) == 0);
  return 0;
}
