// Waiting in a loop for a plain flag: ends in every schedule, since a thread
// that repeats itself lets others go first.
//
// EXPECT: ended(42)

#include <pthread.h>

static volatile int ready;
static int value;

static void* work(void* unused) {
  (void)unused;
  value = 42;
  ready = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  while (!ready) {
  }
  pthread_join(thread, 0);
  return value;
}
