// R-W | R-W: a counter without a lock.
#include <pthread.h>

#include "jitter.h"

static int served;

static void* worker(void* unused) {
  (void)unused;
  for (int i = 0; i < 1; ++i) {
    work(400, 4000);
    const int before = served;
    work(0, 3);
    served = before + 1;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return served != 2;
}
