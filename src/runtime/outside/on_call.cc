#include "runtime/outside/on_call.h"

#include <errno.h>

#include "runtime/gate/hook.h"
#include "runtime/outside/call.h"
#include "runtime/outside/kernel_state.h"
#include "runtime/outside/old_calls.h"
#include "runtime/sys/dispatch.h"

namespace fairlead::rt {
namespace {

long& Register(ucontext_t& frame, int index) {
  return *reinterpret_cast<long*>(&frame.uc_mcontext.gregs[index]);
}

// A filter of the program's (seccomp) wants a signal for this call, perhaps one
// of our own: trying it again would bring the same signal, without end.
bool IsFiltered(const siginfo_t& info) {
  constexpr int kBySeccomp = 1;  // SYS_SECCOMP, which libc's headers lack
  return info.si_code == kBySeccomp;
}

// Of a call as 32-bit programs make them.
long PerformOld(Call& call) {
  if (call.thread == nullptr) return AskKernelByOldCall(*call.frame);
  TranslateOldCall(*call.frame, call);
  if (call.number == -1) {
    StopUncarried(*call.thread,
                  "makes a system call of 32-bit programs (int $0x80)",
                  "only a few of these can be followed");
  }
  return Perform(call);
}

}  // namespace

void OnCall(int, siginfo_t* info, void* machine) {
  auto& frame = *static_cast<ucontext_t*>(machine);
  if (IsFiltered(*info)) {
    Register(frame, REG_RAX) = -ENOSYS;
    return;
  }
  Call call = {
      .number = Register(frame, REG_RAX),
      .args = {Register(frame, REG_RDI), Register(frame, REG_RSI),
               Register(frame, REG_RDX), Register(frame, REG_R10),
               Register(frame, REG_R8), Register(frame, REG_R9)},
      .caller = reinterpret_cast<const void*>(Register(frame, REG_RIP)),
      .frame = &frame};
  // The program returns from a handler of its own: this frame is of no use.
  if (!IsOldCall(*info) && call.number == SYS_rt_sigreturn) {
    __fl_return_from(Register(frame, REG_RSP));
  }
  HookScope hook(call.caller);
  if (hook.controlled() && !IsLoadersCode(call.caller)) {
    call.thread = &hook.thread();
  }
  Register(frame, REG_RAX) =
      IsOldCall(*info) ? PerformOld(call) : Perform(call);
}

}  // namespace fairlead::rt
