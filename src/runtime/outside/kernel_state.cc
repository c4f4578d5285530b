#include "runtime/outside/kernel_state.h"

#include <asm/prctl.h>
#include <string.h>

#include "runtime/gate/gate.h"
#include "runtime/gate/outcome.h"
#include "runtime/sites/modules.h"
#include "runtime/sys/page.h"
#include "runtime/thread/name.h"

namespace fairlead::rt {
namespace {

const char* WordsOf(const Call& call) {
  switch (call.number) {
    case SYS_unshare:
      return "has a thread leave what it shares with the others (unshare)";
    case SYS_setns:
      return "has a thread enter another namespace (setns)";
    case SYS_seccomp:
    case SYS_prctl:
      return "filters the system calls or limits the rights of one thread "
             "(seccomp, prctl)";
    default:
      return "changes whose rights one thread has (by a system call, not by "
             "libc's function for all threads)";
  }
}

// libc's functions change all threads that it knows, one by one; fibers it
// takes for one.
bool IsLibcs(const void* caller) {
  const Module* module = FindModule(reinterpret_cast<uint64_t>(caller));
  return module != nullptr &&
         strstr(module->entry->path, "/libc.so") != nullptr;
}

bool ChangesUser(const Call& call) {
  if (call.number == SYS_setgroups) return true;
  const int num_ids =
      call.number == SYS_setuid || call.number == SYS_setgid       ? 1
      : call.number == SYS_setreuid || call.number == SYS_setregid ? 2
                                                                   : 3;
  for (int i = 0; i < num_ids; ++i) {
    if (static_cast<int>(call.args[i]) != -1) return true;
  }
  return false;
}

}  // namespace

void StopUncarried(const Thread& thread, const char* what, const char* advice) {
  OutcomeText().Put("the program ").Put(what).Put(": ").Put(advice);
  control_page()->outcome.cut_reason = abi::CutReason::kNone;
  RecordOutcome(abi::Status::kCut, &thread);
  StopProcess();
}

void RefuseForOneOfMany(const Call& call) {
  const bool is_fiber =
      control_page()->outcome.carrier == abi::CarrierId::kFiber;
  if (!is_fiber || gate().num_live() == 1) return;
  StopUncarried(*call.thread, WordsOf(call),
                "its threads share a kernel thread here, so that it would hold "
                "for all of them; `fairlead run --carrier thread` gives each "
                "its own");
}

bool IsForAllThreads(const Call& call) {
  constexpr long kSetFilter = 1;  // SECCOMP_SET_MODE_FILTER
  constexpr long kSynchronise = 1;
  return call.number == SYS_seccomp &&
         (call.args[0] > kSetFilter ||  // asks what there is
          (call.args[0] == kSetFilter && (call.args[1] & kSynchronise) != 0));
}

long CallForOneThread(Call& call) {
  RefuseForOneOfMany(call);
  return AskKernel(call);
}

long CallForUser(Call& call) {
  if (ChangesUser(call) && !IsLibcs(call.caller)) RefuseForOneOfMany(call);
  return AskKernel(call);
}

// -1 asks who it is.
long CallForFileUser(Call& call) {
  if (static_cast<int>(call.args[0]) != -1) RefuseForOneOfMany(call);
  return AskKernel(call);
}

long CallArchPrctl(Call& call) {
  const long result = AskKernel(call);
  if (result == 0 && call.args[0] == ARCH_SET_GS) {
    call.thread->gs_base = call.args[1];
  }
  return result;
}

}  // namespace fairlead::rt
