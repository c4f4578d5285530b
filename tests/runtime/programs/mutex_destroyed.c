// One thread destroys a mutex that the other may still use, or holds.
//
// EXPECT: ended(0) ended(0)+misuse
// TEXT:   uses what was destroyed
// TEXT:   destroys what is locked

#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* user(void* unused) {
  (void)unused;
  int error = pthread_mutex_lock(&mutex);
  VERIFY(error == 0 || error == EINVAL);
  if (error == 0) VERIFY(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, user, 0);
  int error = pthread_mutex_destroy(&mutex);
  VERIFY(error == 0 || error == EBUSY);
  pthread_join(thread, 0);
  return 0;
}
