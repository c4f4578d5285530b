// runtime/outside/signals.cc
//
// System calls about signals, as libc makes them for functions that have no
// hook of ours (system, abort, siglongjmp) and as programs make them
// themselves. The model is model/signals.h; what is not under control goes to
// the kernel (outside/passing.cc).

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/model/alternate_stack.h"
#include "runtime/model/deadline.h"
#include "runtime/model/pids.h"
#include "runtime/model/signal_waits.h"
#include "runtime/model/signals.h"
#include "runtime/model/thread_settings.h"
#include "runtime/outside/call.h"
#include "runtime/outside/from_outside.h"
#include "runtime/outside/kernel_state.h"
#include "runtime/outside/passing.h"
#include "runtime/sys/page.h"
#include "runtime/sys/text.h"

namespace fairlead::rt {
namespace {

int SignalOf(const Call& call, int index) {
  return static_cast<int>(call.args[index]);
}

// A process may be named by any of its threads, and by main's number when that
// has ended.
bool IsOwnProcess(const Call& call) {
  const auto number = static_cast<int>(call.args[0]);
  return number == OwnPid() || FindByNumber(number) != nullptr;
}

// To a process that the program has made, for real each time; to anybody else
// only in the execution that the schedule comes from.
long SendToOther(Call& call) {
  const auto told = static_cast<int>(call.args[0]);
  call.args[0] = RealPid(told);
  const bool foreign = told > 0 && !IsOwnMaking(told);
  return FromOutside(call, foreign, [&] { return AskKernel(call); });
}

long SendOwn(const Call& call, Thread* target, const siginfo_t& info) {
  // An abort happens inside libc; the last place of the program says more.
  const Place place =
      info.si_signo == SIGABRT ? call.thread->place : call.place();
  return -SendSignal(*call.thread, target, info, place);
}

}  // namespace

long CallSigaction(Call& call) {
  if (call.thread == nullptr) return PassSigaction(call);
  const int signal = SignalOf(call, 0);
  if (call.args[3] != sizeof(SignalSet) || !IsSignal(signal)) return -EINVAL;
  const auto* wanted = call.pointer<const Action>(1);
  auto* old = call.pointer<Action>(2);
  const Action before = ActionOf(signal);
  if (wanted != nullptr) {
    const int error = SetAction(*call.thread, signal, *wanted);
    if (error != 0) return -error;
  }
  if (old != nullptr) *old = before;
  return 0;
}

long CallSigprocmask(Call& call) {
  if (call.thread == nullptr) return PassSigprocmask(call);
  if (call.args[3] != sizeof(SignalSet)) return -EINVAL;
  SignalSet before;
  const auto* wanted = call.pointer<const SignalSet>(1);
  call.thread->place = call.place();
  const int error =
      ChangeMask(*call.thread, static_cast<int>(call.args[0]), wanted, &before);
  if (error != 0) return -error;
  if (call.args[2] != 0) *call.pointer<SignalSet>(2) = before;
  return 0;
}

long CallSigaltstack(Call& call) {
  if (call.thread == nullptr) return PassSigaltstack(call);
  const void* frame = call.frame == nullptr
                          ? __builtin_frame_address(0)
                          : reinterpret_cast<const void*>(
                                call.frame->uc_mcontext.gregs[REG_RSP]);
  return -SetAlternateStack(*call.thread, call.pointer<const stack_t>(0),
                            call.pointer<stack_t>(1), frame);
}

long CallSigsuspend(Call& call) {
  if (call.thread == nullptr) return PassSigsuspend(call);
  if (call.args[1] != sizeof(SignalSet)) return -EINVAL;
  return -Pause(*call.thread, call.pointer<const SignalSet>(0), call.place());
}

long CallPause(Call& call) {
  return -Pause(*call.thread, nullptr, call.place());
}

long CallSigpending(Call& call) {
  *call.pointer<SignalSet>(0) =
      PendingFor(*call.thread) & call.thread->signals.mask;
  return 0;
}

long CallSigtimedwait(Call& call) {
  if (call.args[3] != sizeof(SignalSet)) return -EINVAL;
  uint64_t deadline = kNoDeadline;
  if (const auto* timeout = call.pointer<const timespec>(2)) {
    deadline = DurationOf(timeout);
    if (deadline == kBadDeadline) return -EINVAL;
    deadline += gate().now_ns();
  }
  siginfo_t info;
  const int error =
      WaitForSignal(*call.thread, *call.pointer<const SignalSet>(0), &info,
                    deadline, Interruption::kAlways, call.place());
  if (error != 0) return -error;
  if (call.args[1] != 0) *call.pointer<siginfo_t>(1) = info;
  return info.si_signo;
}

long CallKill(Call& call) {
  if (!IsOwnProcess(call)) return SendToOther(call);
  return SendOwn(call, nullptr, OwnInfo(SignalOf(call, 1), SI_USER));
}

long CallTkill(Call& call) {
  Thread* target = FindByNumber(static_cast<int>(call.args[0]));
  if (target == nullptr) return AskKernel(call);
  return SendOwn(call, target, OwnInfo(SignalOf(call, 1), SI_TKILL));
}

long CallTgkill(Call& call) {
  Thread* target = IsOwnProcess(call)
                       ? FindByNumber(static_cast<int>(call.args[1]))
                       : nullptr;
  if (target == nullptr) return SendToOther(call);
  return SendOwn(call, target, OwnInfo(SignalOf(call, 2), SI_TKILL));
}

long CallSigqueueinfo(Call& call) {
  siginfo_t info = *call.pointer<siginfo_t>(2);
  if (!IsOwnProcess(call)) {
    info.si_pid = sys::GetPid();
    call.args[2] = sys::Arg(&info);
    return SendToOther(call);
  }
  info.si_signo = SignalOf(call, 1);
  return SendOwn(call, nullptr, info);
}

long CallTgsigqueueinfo(Call& call) {
  Thread* target = IsOwnProcess(call)
                       ? FindByNumber(static_cast<int>(call.args[1]))
                       : nullptr;
  if (target == nullptr) return AskKernel(call);
  siginfo_t info = *call.pointer<siginfo_t>(3);
  info.si_signo = SignalOf(call, 2);
  return SendOwn(call, target, info);
}

// The names of threads are ours, since fibers share the kernel's.
long CallPrctl(Call& call) {
  Thread& thread = *call.thread;
  switch (call.args[0]) {
    case PR_SET_NAME: {
      // As the kernel does, what is too long is cut.
      char wanted[kThreadNameBytes] = {};
      Text(wanted, sizeof(wanted)).Put(call.pointer<const char>(1));
      return -SetName(thread, thread.handle, wanted, call.place());
    }
    case PR_GET_NAME:
      return -GetName(thread.handle, call.pointer<char>(1), kThreadNameBytes);
    case PR_SET_SECCOMP:
      return CallSeccomp(call);
    case PR_SET_SECUREBITS:
    case PR_CAPBSET_DROP:
    case PR_CAP_AMBIENT:
      return CallForOneThread(call);
    default:
      return AskKernel(call);
  }
}

// A filter may end the process for a call that only we make: whoever reads of
// that end must know that there was one. Told before it is installed, since
// nothing may be possible afterwards.
long CallSeccomp(Call& call) {
  if (!IsForAllThreads(call)) RefuseForOneOfMany(call);
  CountUncontrolled(abi::Uncontrolled::kSeccomp);
  return AskKernel(call);
}

long CallGettid(Call& call) { return NumberOf(*call.thread); }

}  // namespace fairlead::rt
