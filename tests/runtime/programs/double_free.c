// Two threads free the same block: the second one is told.
//
// EXPECT: signaled(6)+misuse
// TEXT:   frees a block twice

#include <pthread.h>
#include <stdlib.h>

static void* block;

static void* release(void* unused) {
  (void)unused;
  free(block);
  return 0;
}

int main(void) {
  block = malloc(24);
  pthread_t a, b;
  pthread_create(&a, 0, release, 0);
  pthread_create(&b, 0, release, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
