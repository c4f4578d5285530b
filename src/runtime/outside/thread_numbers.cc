// runtime/outside/thread_numbers.cc
//
// System calls that name a thread by the number that gettid() answers, which is
// ours: the kernel is asked about the thread that carries it. Fibers share one,
// so that what one sets is set for all; how threads are scheduled is ours, and
// nothing depends on it.
//
// Incomplete: /proc/self/task has the kernel's numbers.

#include <sys/resource.h>

#include "runtime/carrier/tls.h"
#include "runtime/gate/gate.h"
#include "runtime/model/pids.h"
#include "runtime/model/signal_waits.h"
#include "runtime/outside/call.h"

namespace fairlead::rt {
namespace {

// What the kernel calls a thread or process that the program calls `told`.
long RealNumber(long told) {
  const auto number = static_cast<int>(told);
  const Thread* thread = number == 0 ? nullptr : FindByNumber(number);
  if (thread == nullptr || thread->parent == nullptr) return RealPid(number);
  const int carrier = KernelTidOf(*thread);
  return carrier != 0 ? carrier : sys::GetTid();
}

}  // namespace

long CallAboutThread(Call& call) {
  call.args[0] = RealNumber(call.args[0]);
  return AskKernel(call);
}

// Calls that name one of several kinds of things; a process is one.
long CallAboutPriority(Call& call) {
  constexpr long kIoProcess = 1;  // IOPRIO_WHO_PROCESS
  const bool io =
      call.number == SYS_ioprio_get || call.number == SYS_ioprio_set;
  if (call.args[0] == (io ? kIoProcess : PRIO_PROCESS)) {
    call.args[1] = RealNumber(call.args[1]);
  }
  return AskKernel(call);
}

}  // namespace fairlead::rt
