// A spin that gives up after ten tries must be able to give up before the flag
// is set: spinning threads are demoted, not disabled.
//
// EXPECT: ended(0) ended(3)
// SEEDS:  64

#include <pthread.h>

static volatile int ready;
static volatile int steps[5];

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < 5; ++i) steps[i] = i + 1;
  ready = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  int result = 3;
  pthread_create(&thread, 0, work, 0);
  for (int i = 0; i < 10 && result != 0; ++i) {
    if (ready) result = 0;
  }
  pthread_join(thread, 0);
  return result;
}
