// The twin of barrier_misuse: the round is over when the barrier is destroyed,
// even if the other has not come back from it; and its memory is freed at once.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

#include "verify.h"

static pthread_barrier_t* barrier;

static void* come(void* unused) {
  (void)unused;
  pthread_barrier_wait(barrier);
  return 0;
}

int main(void) {
  pthread_t thread;
  barrier = malloc(sizeof(*barrier));
  VERIFY(pthread_barrier_init(barrier, 0, 2) == 0);
  pthread_create(&thread, 0, come, 0);
  pthread_barrier_wait(barrier);
  VERIFY(pthread_barrier_destroy(barrier) == 0);
  free(barrier);
  pthread_join(thread, 0);
  return 0;
}
