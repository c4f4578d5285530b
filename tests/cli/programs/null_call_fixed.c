// The function is set ahead of the threads. Twin of null_call.c.

#include <pthread.h>

static void nothing(void) {}
static void (*volatile handler)(void);

static void* call(void* argument) {
  void (*const called)(void) = handler;
  called();
  return argument;
}

int main(void) {
  pthread_t one, two;
  handler = nothing;
  pthread_create(&one, NULL, call, NULL);
  pthread_create(&two, NULL, call, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
