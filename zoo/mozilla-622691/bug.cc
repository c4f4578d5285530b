// Mozilla #622691: a helper thread sweeps and counts what is left.
//
// The allocating thread starts a collection when `gc_bytes` is above the limit.
//
// The bug: the helper clears `gc_bytes` before it has counted. Who looks in
// between believes that there is room.

#include "../zoo.h"

namespace {

constexpr unsigned kArenas = 10;

struct Runtime {
  volatile unsigned gc_bytes = 0;
  unsigned arenas[kArenas] = {};  // bytes in use; changed only by sweeping
  unsigned limit = 300;
  unsigned num_collections = 0;
};

Runtime runtime;

unsigned CountArenas() {
  unsigned sum = 0;
  for (const unsigned bytes : runtime.arenas) sum += bytes;
  return sum;
}

void* SweepInHelper(void*) {
  zoo_start();
  zoo_device(15000);  // other work of the helper
  runtime.gc_bytes = 0;
  runtime.gc_bytes = CountArenas();
  return nullptr;
}

void Allocate(unsigned bytes) {
  zoo_compute(1000, bytes);
  const unsigned used = runtime.gc_bytes;
  if (used + bytes > runtime.limit) ++runtime.num_collections;
}

void* Mutate(void*) {
  zoo_start();
  for (unsigned i = 1; i <= 4; ++i) Allocate(i * 8);
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned i = 0; i < kArenas; ++i) runtime.arenas[i] = 40;
  runtime.gc_bytes = CountArenas();
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Mutate, nullptr);
  const pthread_t two = zoo_spawn(SweepInHelper, nullptr);
  zoo_join(one);
  zoo_join(two);
  if (runtime.num_collections != 4) {
    zoo_wrong("collections", runtime.num_collections, 4);
  }
  return 0;
}
