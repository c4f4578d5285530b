#include <errno.h>

#include "runtime/company/sanitizer.h"
#include "runtime/gate/gate.h"
#include "runtime/outside/arrivals.h"
#include "runtime/outside/call.h"
#include "runtime/outside/pointers.h"
#include "runtime/sites/sites.h"
#include "runtime/sys/page.h"

// Younger than the headers that we are built with.
#ifndef SYS_futex_wake
#define SYS_futex_wake 454
#define SYS_futex_wait 455
#define SYS_futex_requeue 456
#endif

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
uint64_t calls_made = 0;
// Read by a handler that interrupts the call.
constinit volatile PassedCall passed = {};

long Pass(const Call& call) {
  if (call.thread == nullptr) return AskKernel(call);
  passed.number = call.number;
  passed.caller = call.caller;
  const long result = AskKernel(call);
  passed.caller = nullptr;
  return result;
}

// Whether a sanitizer's runtime makes the call for itself, and nobody else can
// notice: it reads files and talks to its symboliser while it reports. What
// concerns threads, memory and the end of the process is as everybody's.
bool IsOwnOfSanitizer(const Call& call) {
  if (!InSanitizer(call.caller)) return false;
  switch (call.number) {
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_futex:
    case SYS_sched_yield:
    case SYS_gettid:
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
    case SYS_exit:
    case SYS_exit_group:
      return false;
    default:
      return true;
  }
}

}  // namespace

Place Call::place() const { return PlaceOfCall(*thread, caller); }

uint64_t num_calls() { return calls_made; }

PassedCall passed_call() { return {passed.number, passed.caller}; }

namespace {

long DoAsTableSays(Call& call) {
  if (call.number < 0 || call.number >= kNumCalls) return Pass(call);
  const Row& row = table.rows[call.number];
  if (row.handler == nullptr) return Pass(call);
  if (row.when == When::kControlled &&
      (call.thread == nullptr || IsOwnOfSanitizer(call))) {
    return AskKernel(call);
  }
  if (call.thread != nullptr && !PointersAreThere(call)) return -EFAULT;
  return row.handler(call);
}

}  // namespace

long Perform(Call& call) {
  if (call.thread != nullptr) ++calls_made;
  const long result = DoAsTableSays(call);
  // The kernel lets nobody out of a call while a signal is pending for him.
  if (call.thread != nullptr && control_page() != nullptr) {
    if (gate().CallIsPoint()) {
      gate().Arrive(*call.thread, {.op = EventKind::kYield, .object = nullptr},
                    call.place());
    }
    SettleSignals(*call.thread);
  }
  return result;
}

}  // namespace fairlead::rt
