// The program has its own malloc, with a lock of its own, that threads share.
// FLAGS: -O2 -fno-builtin

#include <stdatomic.h>
#include <stddef.h>

#include "want.h"

enum { kRoom = 8 << 20 };

static _Alignas(16) char room[kRoom];
static size_t used;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_int live;

struct block {
  size_t size;
  struct block* next;
};

static struct block* spare;

void* malloc(size_t size) {
  size = (size + 15) & ~(size_t)15;
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
  struct block** at = &spare;
  while (*at != NULL && (*at)->size < size) at = &(*at)->next;
  struct block* block = *at;
  if (block != NULL) {
    *at = block->next;
  } else if (used + sizeof(*block) + size <= kRoom) {
    block = (struct block*)(room + used);
    used += sizeof(*block) + size;
    block->size = size;
  }
  atomic_flag_clear_explicit(&lock, memory_order_release);
  if (block != NULL) atomic_fetch_add(&live, 1);
  return block != NULL ? block + 1 : NULL;
}

void free(void* pointer) {
  if (pointer == NULL) return;
  struct block* block = (struct block*)pointer - 1;
  atomic_fetch_sub(&live, 1);
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
  block->next = spare;
  spare = block;
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

void* calloc(size_t count, size_t size) {
  void* pointer = malloc(count * size);
  return pointer != NULL ? memset(pointer, 0, count * size) : NULL;
}

void* realloc(void* old, size_t size) {
  void* pointer = malloc(size);
  if (old == NULL || pointer == NULL) return pointer;
  const size_t had = ((struct block*)old - 1)->size;
  memcpy(pointer, old, had < size ? had : size);
  free(old);
  return pointer;
}

static void* body(void* number) {
  long sum = 0;
  for (int i = 1; i < 20; i++) {
    char* text = strdup("a text of some length");
    text = realloc(text, 30 + (size_t)i * 8);
    sum += (long)strlen(text) * (long)number;
    free(text);
  }
  return (void*)sum;
}

int main(void) {
  pthread_t threads[3];
  const int before = atomic_load(&live);
  void* kept = malloc(10);
  want((char*)kept > room && (char*)kept < room + kRoom);
  for (long i = 0; i < 3; i++) threads[i] = start(body, (void*)i);
  long sum = 0;
  for (int i = 0; i < 3; i++) sum += (long)finish(threads[i]);
  free(kept);
  printf("sum %ld, more live %d\n", sum, atomic_load(&live) - before < 10);
  return 0;
}
