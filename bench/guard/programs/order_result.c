// W-R order: the result is read when the worker "must be done by now".
#include <pthread.h>
#include <stdio.h>

#include "jitter.h"

static long sum;

static void* worker(void* unused) {
  (void)unused;
  work(0, 900);
  long s = 0;
  for (int i = 0; i <= 100; ++i) s += i;
  sum = s;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  work(700, 2000);
  const long result = sum;
  pthread_detach(thread);
  if (result != 5050) fprintf(stderr, "sum is %ld\n", result);
  return result != 5050;
}
