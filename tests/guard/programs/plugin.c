// What `opener` opens: a counter that two threads share, the first one first.
#include <pthread.h>

static volatile int shared;

static void* add(void* unused) {
  ++shared;
  return unused;
}

int plugin(void) {
  pthread_t thread;
  shared = 1;
  pthread_create(&thread, 0, add, 0);
  pthread_join(thread, 0);
  return shared;
}
