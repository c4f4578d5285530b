#include "runtime/model/random.h"

#include <string.h>

#include "runtime/sys/page.h"
#include "sched/rng.h"

namespace fairlead::rt {
namespace {

// Any number would do, as long as it stays.
constexpr uint64_t kSeed = 0x66616972;
constinit sched::Rng generator{kSeed};
uint64_t world = 0;  // that it is for (abi::Plan::other_world)

// A fork server has a plan for each of its children.
void EnterWorld() {
  const uint64_t wanted = control_page()->plan.other_world;
  if (wanted == world) return;
  world = wanted;
  generator = sched::Rng(kSeed ^ world);
}

}  // namespace

void DrawRandom(void* to, size_t bytes) {
  EnterWorld();
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
