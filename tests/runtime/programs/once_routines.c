// pthread_once: run once, waited for by others, nested in another.
//
// EXPECT: ended(0)
// EVENTS: once once-done woken-by-once
// PLAIN:  0

#include <pthread.h>
#include <sched.h>

#include "verify.h"

static pthread_once_t outer = PTHREAD_ONCE_INIT;
static pthread_once_t inner = PTHREAD_ONCE_INIT;
static int runs;
static int inner_runs;

static void init_inner(void) {
  sched_yield();
  ++inner_runs;
}

static void init_outer(void) {
  sched_yield();
  VERIFY(pthread_once(&inner, init_inner) == 0);
  sched_yield();
  ++runs;
}

static void* use(void* unused) {
  (void)unused;
  VERIFY(pthread_once(&inner, init_inner) == 0);
  VERIFY(inner_runs == 1);
  VERIFY(pthread_once(&outer, init_outer) == 0);
  VERIFY(runs == 1);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, use, 0);
  VERIFY(pthread_once(&outer, init_outer) == 0);
  VERIFY(runs == 1 && inner_runs == 1);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
