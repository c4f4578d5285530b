// A barrier that is waited at is not to be destroyed, and glibc waits then for
// a round that never ends.
//
// EXPECT: deadlock+misuse ended(0) ended(0)+misuse
// TEXT:   destroys, and waits for those who wait at

#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_barrier_t barrier;

static void* come(void* unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_t thread;
  VERIFY(pthread_barrier_init(&barrier, 0, 2) == 0);
  pthread_create(&thread, 0, come, 0);
  pthread_barrier_destroy(&barrier);
  return 0;
}
