/* An allocator with arenas: a thread attaches to one that nobody uses, and
 * then works in it without a lock.
 *
 * The fix: attaching is one atomic exchange.
 */

#include <assert.h>

#include "../zoo.h"

enum { kArenas = 3, kChunks = 8, kEach = 3 };

struct chunk {
  int in_use;
  unsigned bytes[4];
};

struct arena {
  int attached;
  unsigned top; /* the first chunk that was never given out */
  struct chunk chunks[kChunks];
};

static struct arena arenas[kArenas];

static struct arena* attach(void) {
  for (unsigned i = 0; i < kArenas; ++i) {
    if (!__atomic_exchange_n(&arenas[i].attached, 1, __ATOMIC_ACQ_REL)) {
      return &arenas[i];
    }
  }
  abort();
}

static void detach(struct arena* arena) {
  __atomic_store_n(&arena->attached, 0, __ATOMIC_RELEASE);
}

static struct chunk* allocate(struct arena* arena) {
  struct chunk* chunk = &arena->chunks[arena->top % kChunks];
  arena->top = arena->top + 1;
  chunk->in_use = 1;
  return chunk;
}

static void release(struct chunk* chunk) {
  assert(chunk->in_use);
  chunk->in_use = 0;
}

static void* work(void* argument) {
  const unsigned delay_us = *(const unsigned*)argument;
  struct chunk* held[kEach];
  zoo_start();
  zoo_device(delay_us);
  struct arena* arena = attach();
  for (unsigned i = 0; i < kEach; ++i) {
    held[i] = allocate(arena);
    held[i]->bytes[0] = zoo_compute(200, i);
  }
  for (unsigned i = 0; i < kEach; ++i) release(held[i]);
  detach(arena);
  return NULL;
}

int main(void) {
  unsigned delays_us[2] = {0, 20000};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(work, &delays_us[0]);
  const pthread_t two = zoo_spawn(work, &delays_us[1]);
  zoo_join(one);
  zoo_join(two);
  return 0;
}
