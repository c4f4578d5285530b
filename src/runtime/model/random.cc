#include "runtime/model/random.h"

#include <string.h>

#include "sched/rng.h"

namespace fairlead::rt {
namespace {

// Any number would do, as long as it stays.
constexpr uint64_t kSeed = 0x66616972;
constinit sched::Rng generator{kSeed};

}  // namespace

void DrawRandom(void* to, size_t bytes) {
  char* at = static_cast<char*>(to);
  while (bytes > 0) {
    const uint64_t number = generator.Next();
    const size_t part = bytes < sizeof(number) ? bytes : sizeof(number);
    memcpy(at, &number, part);
    at += part;
    bytes -= part;
  }
}

}  // namespace fairlead::rt
