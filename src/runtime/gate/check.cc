// gate/check.cc: the end that sys/check.h speaks of. It is here, and not there,
// since the outcome of a failed check counts the points that came before it.

#include "runtime/sys/check.h"

#include "runtime/gate/gate.h"
#include "runtime/gate/outcome.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"
#include "runtime/sys/text.h"

namespace fairlead::rt {

void CheckFailed(const char* file, int line, const char* condition,
                 uint64_t left, uint64_t right) {
  char buffer[512];
  Text text(buffer, sizeof(buffer));
  text.Put("internal error at ")
      .Put(file)
      .Put(':')
      .Decimal(static_cast<uint64_t>(line));
  text.Put(": ").Put(condition).Put(" (").Hex(left).Put(", ").Hex(right);
  text.Put(") at step ").Decimal(gate().points());
  text.Put("; please report it with the command that you ran");
  if (control_page() == nullptr) {
    Log(buffer);
    sys::ExitGroup(abi::kInternalExitCode);
  }
  OutcomeText().Put(buffer);
  RecordOutcome(abi::Status::kInternal, gate().running());
  Log(buffer);
  sys::ExitGroup(abi::kInternalExitCode);
}

}  // namespace fairlead::rt
