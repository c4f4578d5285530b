#include "runtime/model/signal_waits.h"

#include <errno.h>
#include <sys/wait.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/deliver.h"
#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/deadline.h"
#include "runtime/model/kernel_signals.h"
#include "runtime/model/pids.h"
#include "runtime/model/signals.h"
#include "runtime/model/thread_settings.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

bool Never(const Thread&) { return false; }

bool HasArrived(const Thread& thread) {
  return (PendingFor(thread) & thread.signals.awaited) != 0;
}

// Whether the kernel knows of a child that has not been waited for.
bool HasChildren() {
  siginfo_t info = {};
  return sys::Call(SYS_waitid, P_ALL, 0, sys::Arg(&info),
                   WEXITED | WNOHANG | WNOWAIT, 0) == 0;
}

}  // namespace

siginfo_t OwnInfo(int signal, int code) {
  siginfo_t info = {};
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = OwnPid();
  info.si_uid = static_cast<uid_t>(sys::Call(SYS_getuid));
  return info;
}

int SendSignal(Thread& thread, Thread* target, const siginfo_t& info,
               const Place& place) {
  const int signal = info.si_signo;
  if (signal != 0 && !IsSignal(signal)) return EINVAL;
  if (signal == 0) return 0;
  gate().Arrive(thread, {.op = EventKind::kSignalSent, .object = target},
                place);
  if (target != nullptr && target->state == ThreadState::kEnded) return 0;
  if (signal == SIGKILL) EndBySignal(thread, info, 0);
  if (signal == SIGSTOP) {
    StopForAWhile();
    return 0;
  }
  Send(&thread, target, info);
  gate().Progressed(thread);
  emitter().Emit(thread, EventKind::kSignalSent, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(signal));
  if (thread.signals.due) DeliverNow(thread);
  return 0;
}

int ChangeMask(Thread& thread, int how, const SignalSet* set, SignalSet* old) {
  const SignalSet before = thread.signals.mask;
  if (set != nullptr) {
    SignalSet mask = *set;
    if (how == SIG_BLOCK) {
      mask |= before;
    } else if (how == SIG_UNBLOCK) {
      mask = before & ~mask;
    } else if (how != SIG_SETMASK) {
      return EINVAL;
    }
    SetMask(thread, mask);
  }
  if (old != nullptr) *old = before;
  if (set != nullptr && thread.signals.due) DeliverNow(thread);
  return 0;
}

int WaitForSignal(Thread& thread, SignalSet set, siginfo_t* info,
                  uint64_t deadline_ns, Interruption interruption,
                  const Place& place) {
  set &= ~(Only(SIGKILL) | Only(SIGSTOP));
  TakeOver(set);
  thread.signals.awaited = set;
  const Intent intent = {.op = EventKind::kSignalWait,
                         .object = nullptr,
                         .ready = HasArrived,
                         .deadline_ns = deadline_ns,
                         .interruption = interruption};
  const Wake wake = HasArrived(thread) ? ArriveCancelable(thread, intent, place)
                                       : AwaitCancelable(thread, intent, place);
  PendingSignal signal;
  // Even when the deadline has passed: it may have come just then.
  const bool taken = wake != Wake::kCanceled && wake != Wake::kInterrupted &&
                     TakePending(thread, set, &signal);
  StopAwaiting(thread);
  if (wake == Wake::kCanceled) CancelSelf(thread);
  if (taken) {
    if (signal.sender.thread != nullptr) {
      emitter().EmitWake(thread, EventKind::kWakeKill, nullptr, signal.sender);
    }
    emitter().Emit(thread, EventKind::kSignalWait,
                   abi::kFlagPoint | abi::kFlagSuccess, nullptr,
                   static_cast<uint64_t>(signal.info.si_signo));
    *info = signal.info;
    return 0;
  }
  emitter().Emit(
      thread, EventKind::kSignalWait,
      abi::kFlagPoint | (wake == Wake::kTimedOut ? abi::kFlagTimedOut : 0),
      nullptr, 0);
  return wake == Wake::kInterrupted ? EINTR : EAGAIN;
}

int Pause(Thread& thread, const SignalSet* mask, const Place& place) {
  if (mask != nullptr) SwapMask(thread, *mask);
  const Wake wake = ArriveCancelable(thread,
                                     {.op = EventKind::kSignalWait,
                                      .object = nullptr,
                                      .ready = Never,
                                      .interruption = Interruption::kAlways},
                                     place);
  if (mask != nullptr) SwapMaskBack(thread);
  if (wake == Wake::kCanceled) CancelSelf(thread);
  emitter().Emit(thread, EventKind::kSignalWait, abi::kFlagPoint, nullptr, 0);
  return EINTR;
}

Thread* FindByNumber(int number) {
  for (size_t i = 0; i < gate().num_live(); ++i) {
    if (NumberOf(gate().live(i)) == number) return &gate().live(i);
  }
  return nullptr;
}

SignalSet HopedFor(const Thread& thread) {
  if (thread.signals.awaited != 0) return thread.signals.awaited;
  SignalSet hoped = 0;
  for (int signal = 1; signal <= kNumSignals; ++signal) {
    if (Has(thread.signals.mask, signal) || signal == SIGSYS) continue;
    if (ActionOf(signal).HasHandler()) hoped |= Only(signal);
  }
  return hoped;
}

bool MayComeFromOutside(SignalSet set) {
  constexpr SignalSet kByPeople = Only(SIGHUP) | Only(SIGINT) | Only(SIGQUIT) |
                                  Only(SIGTERM) | Only(SIGTSTP) |
                                  Only(SIGCONT) | Only(SIGWINCH) | Only(SIGIO) |
                                  Only(SIGURG) | Only(SIGPWR);
  return (set & kByPeople) != 0 || HasChildren();
}

}  // namespace fairlead::rt
