// A thread reads behind the end of a block: for tools that look at memory.

#include <pthread.h>
#include <stdlib.h>

static volatile int* shared;

static void* use(void* argument) {
  (void)argument;
  return (void*)(long)shared[2];
}

int main(void) {
  pthread_t thread;
  shared = calloc(2, sizeof(int));
  pthread_create(&thread, NULL, use, NULL);
  pthread_join(thread, NULL);
  free((void*)shared);
  return 0;
}
