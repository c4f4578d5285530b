// Calls that POSIX lets fail: each returns what glibc returns, and none is a
// misuse. The table is in model/misuse.h.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#include "verify.h"

static const struct timespec past = {.tv_sec = 1, .tv_nsec = 0};

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void make(int type, int robust, int protocol) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, type);
  pthread_mutexattr_setrobust(&attr, robust);
  pthread_mutexattr_setprotocol(&attr, protocol);
  VERIFY(pthread_mutex_init(&mutex, &attr) == 0);
}

static void* unlock_of_stranger(void* unused) {
  VERIFY(pthread_mutex_unlock(&mutex) == EPERM);
  return unused;
}

static void ask_stranger(void) {
  pthread_t thread;
  VERIFY(pthread_create(&thread, 0, unlock_of_stranger, 0) == 0);
  VERIFY(pthread_join(thread, 0) == 0);
}

static void relock(int type, int robust, int protocol, int timed, int tried) {
  make(type, robust, protocol);
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  VERIFY(pthread_mutex_timedlock(&mutex, &past) == timed);
  VERIFY(pthread_mutex_trylock(&mutex) == tried);
  if (timed == EDEADLK) VERIFY(pthread_mutex_lock(&mutex) == EDEADLK);
  VERIFY(pthread_mutex_unlock(&mutex) == 0);
}

static void refuse(int type, int robust) {
  make(type, robust, PTHREAD_PRIO_NONE);
  VERIFY(pthread_mutex_unlock(&mutex) == EPERM);
  if (type != PTHREAD_MUTEX_RECURSIVE) {
    VERIFY(pthread_cond_wait(&cond, &mutex) == EPERM);
    VERIFY(pthread_cond_timedwait(&cond, &mutex, &past) == EPERM);
  }
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  ask_stranger();
  VERIFY(pthread_mutex_unlock(&mutex) == 0);
}

static void mutexes(void) {
  const int checks = PTHREAD_MUTEX_ERRORCHECK;
  relock(PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_NONE, ETIMEDOUT, EBUSY);
  relock(checks, 0, PTHREAD_PRIO_NONE, EDEADLK, EBUSY);
  relock(checks, 1, PTHREAD_PRIO_NONE, EDEADLK, EDEADLK);
  relock(checks, 0, PTHREAD_PRIO_INHERIT, EDEADLK, EDEADLK);
  refuse(checks, 0);
  refuse(PTHREAD_MUTEX_NORMAL, 1);
  refuse(PTHREAD_MUTEX_RECURSIVE, 0);
}

static void rwlocks(void) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  VERIFY(pthread_rwlock_wrlock(&lock) == 0);
  VERIFY(pthread_rwlock_rdlock(&lock) == EDEADLK);
  VERIFY(pthread_rwlock_wrlock(&lock) == EDEADLK);
  VERIFY(pthread_rwlock_timedrdlock(&lock, &past) == EDEADLK);
  VERIFY(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  VERIFY(pthread_rwlock_trywrlock(&lock) == EBUSY);
  VERIFY(pthread_rwlock_unlock(&lock) == 0);
  VERIFY(pthread_rwlock_rdlock(&lock) == 0);
  VERIFY(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
  VERIFY(pthread_rwlock_trywrlock(&lock) == EBUSY);
  VERIFY(pthread_rwlock_unlock(&lock) == 0);
}

int main(void) {
  sem_t full;
  pthread_barrier_t nobody;
  mutexes();
  rwlocks();
  VERIFY(sem_init(&full, 0, SEM_VALUE_MAX) == 0);
  VERIFY(sem_post(&full) == -1 && errno == EOVERFLOW);
  VERIFY(sem_wait(&full) == 0 && sem_post(&full) == 0);
  VERIFY(pthread_barrier_init(&nobody, 0, 0) == EINVAL);
  VERIFY(pthread_join(pthread_self(), 0) == EDEADLK);
  return 0;
}
