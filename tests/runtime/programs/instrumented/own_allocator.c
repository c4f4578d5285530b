// The program has its own malloc, with a lock that threads spin for. What libc
// allocates for a new thread comes from there, too: who makes one waits for
// the lock as others do.
//
// EXPECT: ended(0)

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static _Alignas(16) char room[1 << 20];
static size_t used;
static atomic_flag lock = ATOMIC_FLAG_INIT;

void* malloc(size_t size) {
  while (atomic_flag_test_and_set(&lock)) {
  }
  char* block = room + used;
  used += (size + 15) & ~(size_t)15;
  atomic_flag_clear(&lock);
  return used <= sizeof(room) ? block : NULL;
}

void* calloc(size_t count, size_t size) { return malloc(count * size); }

void* realloc(void* old, size_t size) {
  void* block = malloc(size);
  if (old != NULL && block != NULL) memmove(block, old, size);
  return block;
}

void free(void* block) { (void)block; }

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) *(volatile char*)malloc(10) = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  // Ahead of it, the carriers have had different amounts.
  used = sizeof(room) / 2;
  for (int i = 0; i < 4; i++) {
    if (pthread_create(&threads[i], NULL, work, NULL) != 0) return 1;
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return used < sizeof(room) ? 0 : 2;
}
