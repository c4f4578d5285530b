// MySQL #59464: the statistics of the buffer pool.
//
// The pool's pages have a lock. The statistics must always add up.
//
// The bug: the statistics are changed without a lock.

#include <assert.h>

#include "../zoo.h"

namespace {

constexpr unsigned kFrames = 4;

struct Statistics {
  unsigned lookups = 0;
  unsigned hits = 0;
  unsigned misses = 0;
};

struct Pool {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  unsigned pages[kFrames] = {};  // under lock
  Statistics statistics;
};

Pool pool;

void Account(bool hit) {
  pool.statistics.lookups += 1;
  if (hit) {
    pool.statistics.hits += 1;
  } else {
    pool.statistics.misses += 1;
  }
}

void Lookup(unsigned page) {
  pthread_mutex_lock(&pool.lock);
  unsigned* frame = &pool.pages[page % kFrames];
  const bool hit = *frame == page;
  *frame = page;
  pthread_mutex_unlock(&pool.lock);
  Account(hit);
}

void* Scan(void* argument) {
  const unsigned delay_us = *static_cast<unsigned*>(argument);
  zoo_start();
  zoo_device(delay_us);
  for (unsigned page = 1; page <= 6; ++page) {
    zoo_compute(800, page);
    Lookup(page);
  }
  return nullptr;
}

}  // namespace

int main() {
  unsigned delays_us[2] = {0, 20000};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Scan, &delays_us[0]);
  const pthread_t two = zoo_spawn(Scan, &delays_us[1]);
  zoo_join(one);
  zoo_join(two);
  const Statistics& s = pool.statistics;
  assert(s.hits + s.misses == s.lookups && s.lookups == 12);
  return 0;
}
