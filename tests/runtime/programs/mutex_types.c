// Every type of mutex, by attribute and by static initialiser, returns what
// glibc returns to its owner, to others, and when it is not locked at all. An
// error that POSIX prescribes is no misuse.
//
// EXPECT: ended(0)
// EVENTS: lock trylock unlock recursive init destroy
// PLAIN:  0

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

static void* stranger(void* unused) {
  (void)unused;
  VERIFY(pthread_mutex_trylock(&recursive) == EBUSY);
  VERIFY(pthread_mutex_unlock(&recursive) == EPERM);
  VERIFY(pthread_mutex_trylock(&checking) == EBUSY);
  VERIFY(pthread_mutex_unlock(&checking) == EPERM);
  VERIFY(pthread_mutex_trylock(&adaptive) == EBUSY);
  return 0;
}

static void by_attribute(int type, int relock) {
  pthread_mutexattr_t attr;
  pthread_mutex_t mutex;
  pthread_mutexattr_init(&attr);
  VERIFY(pthread_mutexattr_settype(&attr, type) == 0);
  VERIFY(pthread_mutex_init(&mutex, &attr) == 0);
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  VERIFY(pthread_mutex_lock(&mutex) == relock);
  if (relock == 0) VERIFY(pthread_mutex_unlock(&mutex) == 0);
  VERIFY(pthread_mutex_unlock(&mutex) == 0);
  VERIFY(pthread_mutex_unlock(&mutex) == EPERM);
  VERIFY(pthread_mutex_destroy(&mutex) == 0);
}

int main(void) {
  pthread_t thread;
  VERIFY(pthread_mutex_lock(&recursive) == 0);
  VERIFY(pthread_mutex_lock(&recursive) == 0);
  VERIFY(pthread_mutex_trylock(&recursive) == 0);
  VERIFY(pthread_mutex_lock(&checking) == 0);
  VERIFY(pthread_mutex_lock(&checking) == EDEADLK);
  VERIFY(pthread_mutex_trylock(&checking) == EBUSY);
  VERIFY(pthread_mutex_lock(&adaptive) == 0);
  pthread_create(&thread, 0, stranger, 0);
  pthread_join(thread, 0);
  for (int i = 0; i < 3; ++i) VERIFY(pthread_mutex_unlock(&recursive) == 0);
  VERIFY(pthread_mutex_unlock(&recursive) == EPERM);
  VERIFY(pthread_mutex_unlock(&checking) == 0);
  VERIFY(pthread_mutex_unlock(&checking) == EPERM);
  VERIFY(pthread_mutex_unlock(&adaptive) == 0);
  by_attribute(PTHREAD_MUTEX_RECURSIVE, 0);
  by_attribute(PTHREAD_MUTEX_ERRORCHECK, EDEADLK);
  return 0;
}
