// A thread calls a function that another one has not set yet, or has. As long
// as each runs until it must wait, it has. Twin: null_call_fixed.c.

#include <pthread.h>

static void nothing(void) {}
static void (*volatile handler)(void);
static volatile int unrelated;

static void* set(void* argument) {
  handler = nothing;
  return argument;
}

static void* call(void* argument) {
  void (*const called)(void) = handler;
  unrelated = 1;
  called();
  unrelated = 2;
  return argument;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, set, NULL);
  pthread_create(&two, NULL, call, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
