// runtime/outside/thread_numbers.cc
//
// System calls that name a thread by the number that gettid() answers, which is
// ours: the kernel is asked about the thread that carries it. Processors are
// kept by thread (model/thread_settings.h). Fibers share the rest, so that what
// one sets is set for all; how threads are scheduled is ours, and nothing
// depends on it.
//
// Incomplete: /proc/self/task has the kernel's numbers.

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

#include "runtime/carrier/tls.h"
#include "runtime/gate/gate.h"
#include "runtime/model/pids.h"
#include "runtime/model/signal_waits.h"
#include "runtime/model/thread_settings.h"
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

namespace {

// Processors that a thread may run on: kept by thread, as libc's function does.
// In units of the kernel's words.
long AboutAffinity(const Call& call, const Thread& thread) {
  constexpr size_t kWord = sizeof(long);
  const size_t bytes = static_cast<uint32_t>(call.args[1]) & ~(kWord - 1);
  auto* set = call.pointer<cpu_set_t>(2);
  if (call.number == SYS_sched_setaffinity) {
    return -SetAffinity(thread.handle, static_cast<uint32_t>(call.args[1]),
                        set);
  }
  if (bytes != static_cast<uint32_t>(call.args[1])) return -EINVAL;
  const long known = AskKernel(call);
  if (sys::Failed(known)) return known;
  const int error = GetAffinity(thread.handle, static_cast<size_t>(known), set);
  return error != 0 ? -error : known;
}

}  // namespace

long CallAboutThread(Call& call) {
  const auto number = static_cast<int>(call.args[0]);
  const bool is_affinity = call.number == SYS_sched_setaffinity ||
                           call.number == SYS_sched_getaffinity;
  const Thread* named = number == 0 ? call.thread : FindByNumber(number);
  if (is_affinity && named != nullptr) {
    call.args[0] = 0;
    return AboutAffinity(call, *named);
  }
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
