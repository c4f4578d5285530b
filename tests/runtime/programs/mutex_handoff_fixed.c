// The twin of mutex_unlock_wrong: who locks unlocks, and nothing is amiss.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

#include "verify.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* unused) {
  (void)unused;
  VERIFY(pthread_mutex_lock(&held) == 0);
  VERIFY(pthread_mutex_unlock(&held) == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  VERIFY(pthread_mutex_lock(&held) == 0);
  pthread_create(&thread, 0, other, 0);
  VERIFY(pthread_mutex_unlock(&held) == 0);
  pthread_join(thread, 0);
  VERIFY(pthread_mutex_destroy(&held) == 0);
  return 0;
}
