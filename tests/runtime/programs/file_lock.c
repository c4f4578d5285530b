// flockfile is a lock like others: recursive, tried, and good for a deadlock
// together with a mutex.
//
// EXPECT: ended(0) deadlock
// TEXT:   wants to lock the file
// EVENTS: flockfile funlockfile recursive trylock

#include <pthread.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* log_under_mutex(void* unused) {
  (void)unused;
  if (ftrylockfile(stderr) == 0) funlockfile(stderr);
  pthread_mutex_lock(&mutex);
  flockfile(stderr);
  funlockfile(stderr);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, log_under_mutex, 0);
  flockfile(stderr);
  flockfile(stderr);
  fputs("one line\n", stderr);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  funlockfile(stderr);
  funlockfile(stderr);
  pthread_join(thread, 0);
  return 0;
}
