// What glibc returns in odd corners: destroyed, robust, priority-inheriting and
// miscounted mutexes.
//
// EXPECT: ended(0)+misuse
// TEXT:   uses what was destroyed
// PLAIN:  0

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "verify.h"

static const struct timespec past = {.tv_sec = 1, .tv_nsec = 0};

static pthread_mutexattr_t attr;
static pthread_mutex_t mutex;

static void renew(void) { VERIFY(pthread_mutex_init(&mutex, &attr) == 0); }

static void use_destroyed(void) {
  pthread_mutex_t destroyed = PTHREAD_MUTEX_INITIALIZER;
  VERIFY(pthread_mutex_destroy(&destroyed) == 0);
  VERIFY(pthread_mutex_lock(&destroyed) == EINVAL);
  VERIFY(pthread_mutex_trylock(&destroyed) == EINVAL);
  VERIFY(pthread_mutex_timedlock(&destroyed, &past) == EINVAL);
  VERIFY(pthread_mutex_unlock(&destroyed) == EINVAL);
  VERIFY(pthread_mutex_destroy(&destroyed) == 0);
}

static void use_attributes(void) {
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
  renew();
  VERIFY(pthread_mutex_unlock(&mutex) == EPERM);
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  VERIFY(pthread_mutex_unlock(&mutex) == 0);
  pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_NONE);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  renew();
  VERIFY(pthread_mutex_unlock(&mutex) == EPERM);
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  VERIFY(pthread_mutex_trylock(&mutex) == EBUSY);
  VERIFY(pthread_mutex_destroy(&mutex) == 0);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  renew();
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  VERIFY(pthread_mutex_trylock(&mutex) == EDEADLK);
  VERIFY(pthread_mutex_lock(&mutex) == EDEADLK);
  VERIFY(pthread_mutex_timedlock(&mutex, &past) == EDEADLK);
}

static void wait_unlocked(void) {
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
  VERIFY(pthread_cond_timedwait(&never, &unlocked, &past) == ETIMEDOUT);
  VERIFY(pthread_mutex_trylock(&unlocked) == EBUSY);
  VERIFY(pthread_mutex_unlock(&unlocked) == 0);
  VERIFY(pthread_mutex_destroy(&unlocked) == EBUSY);
}

int main(void) {
  use_destroyed();
  use_attributes();
  wait_unlocked();
  return 0;
}
