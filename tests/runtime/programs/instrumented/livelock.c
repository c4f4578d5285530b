// Each thread waits in a loop for a flag that only the other would set.
//
// EXPECT: livelock
// TEXT:   no thread changes anything any more
// SEEDS:  2
// STEPS:  10000000

#include <pthread.h>

static volatile int first, second;

static void* work(void* unused) {
  (void)unused;
  while (!first) {
  }
  second = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  while (!second) {
  }
  first = 1;
  return pthread_join(thread, 0);
}
