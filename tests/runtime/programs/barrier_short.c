// A barrier for three where only two come.
//
// EXPECT: deadlock
// TEXT:   waits at barrier

#include <pthread.h>

static pthread_barrier_t barrier;

static void* come(void* unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&thread, 0, come, 0);
  pthread_barrier_wait(&barrier);
  pthread_join(thread, 0);
  return 0;
}
