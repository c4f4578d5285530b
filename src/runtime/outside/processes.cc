// runtime/outside/processes.cc
//
// System calls by which processes begin, change and end. A child of fork leaves
// control (intercept/fork.h); a program that is replaced by another one does
// too, with the signal mask that the program believes to have.

#include <string.h>

#include "runtime/emit/emitter.h"
#include "runtime/execution.h"
#include "runtime/intercept/arrivals.h"
#include "runtime/intercept/ends.h"
#include "runtime/intercept/fork.h"
#include "runtime/model/unwind.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"

namespace fairlead::rt {

long CallFork(Call& call) {
  ShareDescriptors();
  const long result = AskKernel(call);
  if (result == 0) LeaveInChild(call.frame);
  return result;
}

// Comes back only when it has failed.
long CallExec(Call& call) {
  if (!InOwnProcess()) return AskKernel(call);
  emitter().Publish();
  CountUncontrolled(abi::Uncontrolled::kExec);
  ShowMask(*call.thread);
  const long result = AskKernel(call);
  HideMask();
  --control_page()->outcome.uncontrolled[static_cast<size_t>(
      abi::Uncontrolled::kExec)];
  return result;
}

long CallExitGroup(Call& call) {
  RecordExit(static_cast<int>(call.args[0]));
  return AskKernel(call);
}

// Ends the calling thread without a word to libc.
long CallExit(Call& call) {
  if (call.thread->parent == nullptr) return CallExitGroup(call);
  LeaveProgram(*call.thread);
}

}  // namespace fairlead::rt
