// The twin of barrier_short: a barrier for the two who come.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

static pthread_barrier_t barrier;

static void* come(void* unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, come, 0);
  pthread_barrier_wait(&barrier);
  pthread_join(thread, 0);
  return 0;
}
