// A count of references goes down in one step and is asked in another. Fix: one
// atomic operation in Release.
//
// FUNCTIONS: Release

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Buffer {
  _Atomic int references;
  char bytes[28];
};

static void Release(struct Buffer* buffer) {
  atomic_fetch_sub(&buffer->references, 1);                 // SHOWS
  if (atomic_load(&buffer->references) == 0) free(buffer);  // SHOWS
}

static void* Use(void* argument) {
  struct Buffer* buffer = argument;
  (void)buffer->bytes[0];
  Release(buffer);
  return NULL;
}

int main(void) {
  struct Buffer* buffer = calloc(1, sizeof(*buffer));
  if (buffer == NULL) return 2;
  atomic_store(&buffer->references, 2);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    if (pthread_create(&threads[i], NULL, Use, buffer) != 0) return 2;
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
