// Two threads with ten accesses each to one variable: the short test by which
// executions per second are counted.

#include <pthread.h>

static int shared;

static void* Run(void* unused) {
  for (int i = 0; i < 5; ++i) shared = shared + 1;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, Run, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
