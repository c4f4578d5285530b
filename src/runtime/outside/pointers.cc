#include "runtime/outside/pointers.h"

#include <stdint.h>

#include "runtime/sys/look.h"

namespace fairlead::rt {
namespace {

constexpr size_t kPage = 4096;
// More elements than any call takes: these are refused for another reason, but
// for bytes, which are looked at from the first to here.
constexpr long kMostElements = 1 << 20;

enum class When : uint8_t { kNeeded, kOrNull };

struct Row {
  int number;
  int8_t argument;
  uint8_t bytes;
  When when;
  int8_t count;  // index of the argument that has it; -1 = one
};

constexpr Row kRows[] = {
#define FL_POINTER(name, argument, bytes, when) \
  {SYS_##name, argument, bytes, When::when, -1},
#define FL_POINTERS(name, argument, bytes, when, count) \
  {SYS_##name, argument, bytes, When::when, count},
#include "runtime/outside/pointers.inc"
#undef FL_POINTERS
#undef FL_POINTER
};

// Rows of one call are neighbours; so calls without rows cost one load.
struct Firsts {
  uint8_t index[512];  // of the first row, from 1; 0 = none
};
constexpr Firsts MakeFirsts() {
  Firsts firsts = {};
  for (size_t i = sizeof(kRows) / sizeof(kRows[0]); i > 0; --i) {
    firsts.index[kRows[i - 1].number] = static_cast<uint8_t>(i);
  }
  return firsts;
}
constinit const Firsts firsts = MakeFirsts();

bool Holds(const Row& row, const Call& call) {
  long count = row.count < 0 ? 1 : call.args[row.count];
  if (count > kMostElements && row.bytes == 1) count = kMostElements;
  if (count <= 0 || count > kMostElements) return true;
  const auto* address = call.pointer<const void>(row.argument);
  if (address == nullptr && row.when == When::kOrNull) return true;
  return IsThere(address, static_cast<size_t>(count) * row.bytes);
}

}  // namespace

bool IsThere(const void* address, size_t bytes) {
  const auto* at = static_cast<const char*>(address);
  for (size_t i = 0; i < bytes; i += kPage) {
    if (LookAt(at + i, 1).seen == 0) return false;
  }
  return bytes == 0 || LookAt(at + bytes - 1, 1).seen != 0;
}

bool PointersAreThere(const Call& call) {
  size_t at = firsts.index[call.number];
  if (at == 0) return true;
  constexpr size_t kNumRows = sizeof(kRows) / sizeof(kRows[0]);
  for (--at; at < kNumRows && kRows[at].number == call.number; ++at) {
    if (!Holds(kRows[at], call)) return false;
  }
  return true;
}

}  // namespace fairlead::rt
