// Mozilla's gOffset: how many bytes pages have taken from the cache, for a line
// of statistics.
//
// Two threads add to it without a lock, so that what one adds may be lost.
// Nobody but the line of statistics reads it, where a wrong figure hurts
// nobody.

#include "../zoo.h"

namespace {

constexpr unsigned kPages = 3;

volatile unsigned offset;  // gOffset
unsigned read_bytes[2];

void* Load(void* argument) {
  unsigned& own = *static_cast<unsigned*>(argument);
  zoo_start();
  for (unsigned i = 0; i < kPages; ++i) {
    const unsigned bytes = zoo_compute(500, i) % 512 + 1;
    offset = offset + bytes;
    own += bytes;
  }
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Load, &read_bytes[0]);
  const pthread_t two = zoo_spawn(Load, &read_bytes[1]);
  zoo_join(one);
  zoo_join(two);
  fprintf(stderr, "about %u kB from the cache\n", offset / 1024);
  return read_bytes[0] == read_bytes[1] ? 0 : 1;
}
