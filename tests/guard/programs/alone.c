// Threads that share no memory.
#include <pthread.h>
#include <stdlib.h>

static void* worker(void* unused) {
  (void)unused;
  volatile int* mine = calloc(4, sizeof(int));
  for (int i = 0; i < 4; ++i) mine[i] += i;
  free((int*)mine);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
