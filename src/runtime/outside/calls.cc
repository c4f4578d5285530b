#include "runtime/outside/call.h"
#include "runtime/sites/sites.h"

namespace fairlead::rt {
namespace {

// More than the kernel has by now: 470.
constexpr long kNumCalls = 512;

enum class When : uint8_t { kControlled, kAlways };

struct Row {
  long (*handler)(Call& call);  // null = no row
  When when;
};

struct Table {
  Row rows[kNumCalls];
};

constexpr Table MakeTable() {
  Table table = {};
#define FL_CALL(name, function, when) \
  table.rows[SYS_##name] = {function, When::when};
#include "runtime/outside/calls.inc"
#undef FL_CALL
  return table;
}

constinit const Table table = MakeTable();

}  // namespace

Place Call::place() const { return PlaceOfCall(*thread, caller); }

long Perform(Call& call) {
  if (call.number < 0 || call.number >= kNumCalls) return AskKernel(call);
  const Row& row = table.rows[call.number];
  if (row.handler == nullptr ||
      (row.when == When::kControlled && call.thread == nullptr)) {
    return AskKernel(call);
  }
  return row.handler(call);
}

}  // namespace fairlead::rt
