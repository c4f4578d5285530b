// Three hundred threads on the smallest stacks, alive at once.
// FLAGS: -O2

#define _GNU_SOURCE
#include <limits.h>

#include "want.h"

enum { kThreads = 300 };

static pthread_barrier_t all;
static pthread_spinlock_t lock;
static long sum;

static void* body(void* number) {
  pthread_barrier_wait(&all);
  pthread_spin_lock(&lock);
  sum += (long)number;
  pthread_spin_unlock(&lock);
  pthread_barrier_wait(&all);
  return number;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_attr_t small;
  pthread_attr_init(&small);
  want(pthread_attr_setstacksize(&small, (size_t)PTHREAD_STACK_MIN) == 0);
  pthread_barrier_init(&all, NULL, kThreads + 1);
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  for (long i = 0; i < kThreads; i++)
    want(pthread_create(&threads[i], &small, body, (void*)i) == 0);
  pthread_barrier_wait(&all);
  pthread_barrier_wait(&all);
  for (long i = kThreads; i-- > 0;) want(finish(threads[i]) == (void*)i);
  pthread_barrier_destroy(&all);
  printf("sum %ld\n", sum);
  return 0;
}
