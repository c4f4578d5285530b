// A thread is cancelled in a routine of pthread_once: the next caller runs it
// again.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

#include "verify.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int runs;

static int next_run(void) {
  pthread_mutex_lock(&mutex);
  const int run = ++runs;
  pthread_mutex_unlock(&mutex);
  return run;
}

static void initialise(void) {
  if (next_run() == 1) {
    for (;;) pthread_testcancel();
  }
}

static void* use(void* unused) {
  pthread_once(&once, initialise);
  return unused;
}

int main(void) {
  pthread_t a, b;
  void *from_a, *from_b;
  pthread_create(&a, 0, use, 0);
  for (int started = 0; !started;) {
    pthread_mutex_lock(&mutex);
    started = runs == 1;
    pthread_mutex_unlock(&mutex);
  }
  pthread_create(&b, 0, use, 0);
  pthread_cancel(a);
  pthread_join(a, &from_a);
  pthread_join(b, &from_b);
  VERIFY(from_a == PTHREAD_CANCELED);
  VERIFY(from_b == 0);
  VERIFY(runs == 2);
  return 0;
}
