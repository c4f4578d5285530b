// A bug behind a spin loop: the reader waits for `ready` by spinning and then
// trusts `size`, which the writer sets again a moment later.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int size, copy;
static int wrong;

static void* writer(void* unused) {
  size = 1;
  atomic_store(&ready, 1);
  size = 2;
  copy = 2;
  return unused;
}

static void* reader(void* unused) {
  while (atomic_load(&ready) == 0) {
  }
  if (size == 2 && copy == 0) wrong = 1;  // between the two writes
  return unused;
}

static void* other(void* unused) {  // spins as well, and harms nobody
  while (atomic_load(&ready) == 0) {
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], 0, other, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_create(&threads[2], 0, other, 0);
  pthread_create(&threads[3], 0, writer, 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  assert(wrong == 0);
  return 0;
}
