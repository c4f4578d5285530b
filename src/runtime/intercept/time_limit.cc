#include "runtime/intercept/time_limit.h"

#include "runtime/gate/gate.h"
#include "runtime/gate/outcome.h"
#include "runtime/gate/stall.h"
#include "runtime/intercept/progress.h"
#include "runtime/sys/page.h"
#include "runtime/thread/name.h"

namespace fairlead::rt {

void StopForTime(const Thread& running, uint64_t pc,
                 const BlockedCall& blocked) {
  abi::ControlPage& page = *control_page();
  Text text = OutcomeText();
  text.Put("cut: the limit of ").Decimal(page.plan.max_ns / 1'000'000);
  text.Put(" ms (--timeout) was reached while ");
  if (gate().enabled().size() == 0) {
    text.Put("nobody could move: ");
    DescribeThreads(text);
  } else if (blocked.pc != 0) {
    PutThreadName(text, running);
    text.Put(" waited in the kernel, and nobody else could run, in ");
    PutBlockedCall(text, blocked);
  } else {
    PutThreadName(text, running);
    text.Put(" was running, in ");
    PutFunction(text, pc);
  }
  page.outcome.fault_pc = blocked.pc != 0 ? blocked.pc : pc;
  page.outcome.cut_reason = abi::CutReason::kTime;
  RecordOutcome(abi::Status::kCut, &running);
  StopProcess();
}

}  // namespace fairlead::rt
