// Waits for a flag that nobody sets, and counts how often it has looked: its
// state is never the same, and still it is a livelock.
//
// EXPECT: livelock
// TEXT:   no thread changes anything any more
// SEEDS:  1
// STEPS:  10000000

#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void* work(void* unused) {
  long tries = 0;
  while (!atomic_load(&flag)) ++tries;
  return tries > 0 ? unused : 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, &flag);
  pthread_join(thread, 0);
  return 0;
}
