// The owner of a robust mutex ends without unlocking it. The next one is told,
// and either makes it consistent or, by unlocking, useless for good.
//
// EXPECT: ended(0)
// EVENTS: robust
// PLAIN:  0

#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_mutex_t repaired;
static pthread_mutex_t given_up;

static void* abandon(void* unused) {
  (void)unused;
  VERIFY(pthread_mutex_lock(&repaired) == 0);
  VERIFY(pthread_mutex_lock(&given_up) == 0);
  return 0;
}

static void* find_it_useless(void* unused) {
  (void)unused;
  VERIFY(pthread_mutex_lock(&given_up) == ENOTRECOVERABLE);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  VERIFY(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
  VERIFY(pthread_mutex_init(&repaired, &attr) == 0);
  VERIFY(pthread_mutex_init(&given_up, &attr) == 0);
  VERIFY(pthread_mutex_consistent(&repaired) == EINVAL);
  pthread_create(&thread, 0, abandon, 0);
  pthread_join(thread, 0);

  VERIFY(pthread_mutex_lock(&repaired) == EOWNERDEAD);
  VERIFY(pthread_mutex_consistent(&repaired) == 0);
  VERIFY(pthread_mutex_unlock(&repaired) == 0);
  VERIFY(pthread_mutex_lock(&repaired) == 0);
  VERIFY(pthread_mutex_unlock(&repaired) == 0);

  VERIFY(pthread_mutex_trylock(&given_up) == EOWNERDEAD);
  pthread_create(&thread, 0, find_it_useless, 0);
  VERIFY(pthread_mutex_unlock(&given_up) == 0);
  pthread_join(thread, 0);
  VERIFY(pthread_mutex_trylock(&given_up) == ENOTRECOVERABLE);
  VERIFY(pthread_mutex_consistent(&given_up) == EINVAL);
  VERIFY(pthread_mutex_destroy(&given_up) == 0);
  VERIFY(pthread_mutex_destroy(&repaired) == 0);
  return 0;
}
