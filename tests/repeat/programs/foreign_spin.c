// A thread waits for a flag in code that nobody has instrumented: whoever is to
// set it gets his turn.
//
// BUILD: plainly
// RUNS: --timeout 20
// SEEDS: 4

#include <pthread.h>

static int flag;

static void* sets(void* argument) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  return argument;
}

static void* waits(void* argument) {
  while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) continue;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, sets, 0);
  pthread_create(&threads[1], 0, waits, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
