// The program's own malloc takes a mutex: also when the loader and libc
// allocate, before anything of the program has run.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(16) char room[1 << 22];
static size_t used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* malloc(size_t size) {
  pthread_mutex_lock(&mutex);
  char* block = room + used;
  used += (size + 15) & ~(size_t)15;
  const int fits = used <= sizeof(room);
  pthread_mutex_unlock(&mutex);
  return fits ? block : NULL;
}

void* calloc(size_t count, size_t size) { return malloc(count * size); }

void* realloc(void* old, size_t size) {
  void* block = malloc(size);
  if (old != NULL && block != NULL) memmove(block, old, size);
  return block;
}

void free(void* block) { (void)block; }

static void* work(void* unused) {
  for (int i = 0; i < 3; ++i) free(malloc(10));
  return unused;
}

int main(void) {
  pthread_t threads[3];
  used =
      sizeof(room) / 2;  // ahead of it, the carriers have had different amounts
  for (int i = 0; i < 3; ++i) {
    if (pthread_create(&threads[i], NULL, work, NULL) != 0) return 1;
  }
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return used < sizeof(room) ? 0 : 2;
}
