/* Apache #48735: the index of the cache that all workers share.
 *
 * An entry is written into the first unused slot, then the slot counts.
 *
 * The bug: nothing keeps two workers from taking the same slot.
 */

#include "../zoo.h"

enum { kSlots = 16, kEntries = 3 };

struct slot {
  unsigned key;
  unsigned size;
};

static struct slot slots[kSlots];
static unsigned used;

static void store(unsigned key, unsigned size) {
  const unsigned index = used;
  if (index < kSlots) {
    slots[index].key = key;
    slots[index].size = size;
    used = index + 1;
  }
}

static int find(unsigned key) {
  for (unsigned i = 0; i < used; ++i) {
    if (slots[i].key == key) return 1;
  }
  return 0;
}

struct worker {
  unsigned number;
  unsigned delay_us;
};

static void* serve(void* argument) {
  const struct worker* worker = argument;
  zoo_start();
  zoo_device(worker->delay_us);
  for (unsigned i = 0; i < kEntries; ++i) {
    const unsigned size = zoo_compute(1500, i) % 1000; /* makes the answer */
    store(worker->number * 100 + i, size);
  }
  return NULL;
}

int main(void) {
  struct worker workers[2] = {{1, 0}, {2, 20000}};
  long num_found = 0;
  zoo_threads(2);
  const pthread_t one = zoo_spawn(serve, &workers[0]);
  const pthread_t two = zoo_spawn(serve, &workers[1]);
  zoo_join(one);
  zoo_join(two);
  for (unsigned number = 1; number <= 2; ++number) {
    for (unsigned i = 0; i < kEntries; ++i) num_found += find(number * 100 + i);
  }
  if (num_found != 2 * kEntries) zoo_wrong("entries", num_found, 2 * kEntries);
  return 0;
}
