// runtime/outside/processes.cc
//
// System calls by which processes begin, change and end. A child of fork leaves
// control (outside/fork.h); a program that is replaced by another one does
// too, with the signal mask that the program believes to have.

#include "runtime/gate/gate.h"
#include "runtime/gate/outcome.h"
#include "runtime/model/pids.h"
#include "runtime/model/threads.h"
#include "runtime/outside/arrivals.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/ends.h"
#include "runtime/outside/foreign.h"
#include "runtime/outside/fork.h"
#include "runtime/outside/processor.h"
#include "runtime/sys/own_process.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {

long CallFork(Call& call) {
  ShareDescriptors();
  Untrapped untrapped;
  const long result = AskKernel(call);
  if (result == 0) {
    untrapped.StaysOut();
    LeaveInChild(call.frame);
  } else if (result > 0 && call.thread != nullptr) {
    CountUncontrolled(abi::Uncontrolled::kForkedChild);
  }
  return result != 0 && call.thread != nullptr ? ToldPid(*call.thread, result)
                                               : result;
}

long CallGetpid(Call&) { return OwnPid(); }

long CallGetppid(Call& call) { return ToldPid(*call.thread, AskKernel(call)); }

// Calls about process groups: their first argument, and the second of setpgid,
// names a process; what they return may, too.
long CallAboutProcess(Call& call) {
  call.args[0] = RealPid(static_cast<int>(call.args[0]));
  if (call.number == SYS_setpgid) {
    call.args[1] = RealPid(static_cast<int>(call.args[1]));
  }
  const long result = AskKernel(call);
  return result > 0 ? KnownPid(result) : result;
}

// Comes back only when it has failed.
long CallExec(Call& call) {
  const Untrapped untrapped;
  if (call.thread == nullptr || !InOwnProcess()) return AskKernel(call);
  abi::Outcome& outcome = control_page()->outcome;
  RecordOutcome(abi::Status::kReplaced, call.thread);
  uint64_t& count =
      outcome.uncontrolled[static_cast<size_t>(abi::Uncontrolled::kExec)];
  ++count;
  ShowMask(*call.thread);
  const long result = AskKernel(call);
  HideMask();
  --count;
  if (outcome.status == abi::Status::kReplaced) {
    outcome.status = abi::Status::kRunning;
  }
  return result;
}

long CallExitGroup(Call& call) {
  RecordExit(static_cast<int>(call.args[0]));
  return AskKernel(call);
}

// Ends the calling thread without a word to libc; main's end is that of the
// process only when it is the last one.
long CallExit(Call& call) {
  const auto code = static_cast<int>(call.args[0] & 0xff);
  Thread& thread = *call.thread;
  const bool is_last_main = thread.parent == nullptr && gate().num_live() == 1;
  if (!is_last_main || !AnyForeignThreads()) DropThread(thread, code);
  // Threads that are not ours go on beside.
  RecordExit(code);
  return AskKernel(call);
}

}  // namespace fairlead::rt
