// Unlocking a normal mutex that is not locked, and one that another thread
// holds: glibc does both without a word, and refuses to destroy what it has
// miscounted.
//
// EXPECT: ended(0)+misuse
// TEXT:   misuse: main unlocks what is not locked
// PLAIN:  0

#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_mutex_t never_locked = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void* stranger(void* unused) {
  (void)unused;
  VERIFY(pthread_mutex_unlock(&held) == 0);
  VERIFY(pthread_mutex_lock(&held) == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  VERIFY(pthread_mutex_unlock(&never_locked) == 0);
  VERIFY(pthread_mutex_destroy(&never_locked) == EBUSY);
  VERIFY(pthread_mutex_lock(&held) == 0);
  pthread_create(&thread, 0, stranger, 0);
  pthread_join(thread, 0);
  VERIFY(pthread_mutex_trylock(&held) == EBUSY);
  return 0;
}
