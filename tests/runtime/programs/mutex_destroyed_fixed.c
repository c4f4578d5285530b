// The twin of mutex_destroyed: joins first. A mutex that is initialised anew,
// by call or by assignment, after it was destroyed is as good as new; so is one
// in memory that held a locked one when it was freed.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* user(void* unused) {
  (void)unused;
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  VERIFY(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}

static void run_and_destroy(void) {
  pthread_t thread;
  pthread_create(&thread, 0, user, 0);
  pthread_join(thread, 0);
  VERIFY(pthread_mutex_destroy(&mutex) == 0);
}

static void in_heap(int locked) {
  pthread_mutex_t* fresh = calloc(1, sizeof(*fresh));
  VERIFY(pthread_mutex_trylock(fresh) == 0);
  if (!locked) VERIFY(pthread_mutex_unlock(fresh) == 0);
  free(fresh);
}

int main(void) {
  run_and_destroy();
  mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  run_and_destroy();
  VERIFY(pthread_mutex_init(&mutex, 0) == 0);
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  run_and_destroy();
  for (int i = 0; i < 20; ++i) in_heap(1);
  in_heap(0);
  return 0;
}
