// One thread frees what another still reads.
//
// EXPECT: ended(0) ended(0)+misuse
// TEXT:   uses a block after it was freed

#include <pthread.h>
#include <stdlib.h>

static int* block;

static void* use(void* unused) {
  (void)unused;
  volatile int* p = block;
  return *p == 7 ? 0 : (void*)1;
}

int main(void) {
  block = malloc(sizeof(int));
  *block = 7;
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  free(block);
  pthread_join(thread, 0);
  return 0;
}
