// Workers that count until main sets a flag after a sleep: the shape of most
// stress tests. They can always go on, and change something each time, so time
// must pass beside them, and main must get its turn from every strategy.
//
// FINDS:
// OPTIONS: --executions 40 --early-timeouts never
// FOLLOWS: first random pct:3 pos surw

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#ifndef PAUSE
#define PAUSE usleep(100)
#endif

static atomic_int stop;
static atomic_long counted;
static volatile long of_one;  // who counts for himself

static void* count(void* shared) {
  while (!stop) {
    if (shared) {
      ++counted;
    } else {
      ++of_one;
    }
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) {
    pthread_create(&threads[i], 0, count, i == 0 ? 0 : (void*)&counted);
  }
  PAUSE;
  stop = 1;
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
