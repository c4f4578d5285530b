// A thread looks at a flag and works in between, on memory of its own: more
// than a spin, and fewer rounds than a loop that only waits. Whether it is
// taken for one decides who may go on, and must not depend on whether events
// are told.
//
// EXPECT: ended(0)

#include <pthread.h>

static int flag;
static int results[2];

__attribute__((noinline)) static int work(int* sums) {
  for (int i = 1; i < 16; ++i) sums[i] += sums[i - 1] + i;
  return sums[15];
}

static void* polls(void* argument) {
  int sums[16] = {0};
  for (int i = 0; i < 24; ++i) {
    if (__atomic_load_n(&flag, __ATOMIC_SEQ_CST)) break;
    results[0] = work(sums);
  }
  return argument;
}

static void* sets(void* argument) {
  int sums[16] = {0};
  for (int i = 0; i < 8; ++i) results[1] = work(sums);
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, polls, 0);
  pthread_create(&threads[1], 0, sets, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
