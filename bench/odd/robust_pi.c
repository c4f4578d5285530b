// A robust mutex with priority inheritance whose owners die: it is repaired
// once, and given up the second time.
// FLAGS: -O1

#include "want.h"

static pthread_mutex_t mutex;

static void* take_and_die(void* unused) {
  const int code = pthread_mutex_lock(&mutex);
  want(code == 0 || code == EOWNERDEAD);
  return unused;
}

static void* try_it(void* unused) {
  want(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
  return unused;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  want(pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST) == 0);
  want(pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT) == 0);
  want(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK) == 0);
  want(pthread_mutex_init(&mutex, &kind) == 0);
  finish(start(take_and_die, NULL));
  want(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  want(pthread_mutex_lock(&mutex) == EDEADLK);
  want(pthread_mutex_consistent(&mutex) == 0);
  want(pthread_mutex_unlock(&mutex) == 0);
  want(pthread_mutex_unlock(&mutex) == EPERM);
  pthread_t two[2] = {start(take_and_die, NULL), start(take_and_die, NULL)};
  finish(two[0]);
  finish(two[1]);
  // Both died with it: the later one took it from the earlier and repaired
  // nothing, so it is again inconsistent, not lost.
  want(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  want(pthread_mutex_unlock(&mutex) == 0);
  want(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
  finish(start(try_it, NULL));
  want(pthread_mutex_destroy(&mutex) == 0);
  puts("repaired once, then given up");
  return 0;
}
