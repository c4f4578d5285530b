#include "runtime/intercept/faults.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "runtime/carrier/stacks.h"
#include "runtime/carrier/tls.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/gate/outcome.h"
#include "runtime/gate/stack_writer.h"
#include "runtime/intercept/access.h"
#include "runtime/intercept/blocked.h"
#include "runtime/intercept/causes.h"
#include "runtime/intercept/fault_handler.h"
#include "runtime/intercept/progress.h"
#include "runtime/intercept/time_limit.h"
#include "runtime/model/signals.h"
#include "runtime/outside/arrivals.h"
#include "runtime/outside/processor.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/look.h"
#include "runtime/sys/own_process.h"
#include "runtime/sys/page.h"
#include "runtime/sys/signal_name.h"
#include "runtime/sys/syscall.h"
#include "runtime/thread/name.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
constinit char time_mark = 0;  // its address tells our timer from others

const char* Meaning(int signal) {
  switch (signal) {
    case SIGSEGV:
      return " (invalid memory access)";
    case SIGBUS:
      return " (bad memory access)";
    case SIGFPE:
      return " (arithmetic error)";
    case SIGILL:
      return " (illegal instruction)";
    case SIGABRT:
      return " (abort)";
    case SIGTRAP:
      return " (trap)";
    default:
      return "";
  }
}

bool IsFault(int signal) {
  for (int fault : kFaults) {
    if (fault == signal) return true;
  }
  return false;
}

// What was called by a thread that faults.
enum class Called { kCode, kNoCode, kFreed };

// Whether code without sites has gone by what a freed block holds: a register
// that still holds it, or nearly, and an address that no pointer can have,
// which the kernel does not name.
bool IsFromFreed(const siginfo_t& info, const ucontext_t& machine) {
  if (info.si_signo != SIGSEGV || info.si_code != SI_KERNEL) {
    return false;
  }
  constexpr uint64_t kFreed = abi::kFreedByte * (~uint64_t{0} / 255);
  constexpr uint64_t kNear = 65536;
  for (int i = REG_R8; i <= REG_RIP; ++i) {
    const auto value = static_cast<uint64_t>(machine.uc_mcontext.gregs[i]);
    if (value - kFreed + kNear < 2 * kNear) return true;
  }
  return false;
}

void Describe(Text& text, Thread& thread, const siginfo_t& info,
              Called called) {
  const bool has_address = info.si_code > 0 && IsFault(info.si_signo);
  text.Put("crash: ");
  PutThreadName(text, thread);
  text.Put(" got ").Put(SignalName(info.si_signo).c_str());
  if (has_address && IsStackOverflow(thread, info.si_addr)) {
    text.Put(" (stack overflow: it has used up its ");
    text.Decimal(static_cast<uint64_t>(thread.stack_top - thread.stack_limit) >>
                 10);
    text.Put(" KB)");
  } else if (called == Called::kNoCode) {
    text.Put(" (call of what is no code)");  // explore/judge/crash_words.cc
                                             // looks for it
  } else if (called == Called::kFreed) {
    text.Put(" (by a pointer out of freed memory)");  // likewise
  } else {
    text.Put(Meaning(info.si_signo));
  }
  if (has_address) {
    text.Put(" at address ").Hex(reinterpret_cast<uint64_t>(info.si_addr));
  }
  if (info.si_signo == SIGABRT) PutAbortCause(text, thread);
}

void RecordFault(Thread& thread, const siginfo_t& info, uint64_t pc,
                 Called called) {
  abi::Outcome& outcome = control_page()->outcome;
  const int signal = info.si_signo;
  const bool has_address = info.si_code > 0 && IsFault(signal);
  outcome.signal = signal;
  outcome.signal_code = info.si_code;
  outcome.fault_pc = pc;
  outcome.fault_address =
      has_address ? reinterpret_cast<uint64_t>(info.si_addr) : 0;
  thread.slot.inside = 1;
  SettleContext(thread);  // a fault may come anywhere
  emitter().SettlePlace(thread);
  emitter().Emit(
      thread, signal == SIGABRT ? EventKind::kAbort : EventKind::kFault, 0,
      has_address ? info.si_addr : nullptr, static_cast<uint64_t>(signal));
  // A misuse has been described already, and is the cause.
  if (outcome.misuse == abi::Misuse::kNone) {
    Text text = OutcomeText();
    Describe(text, thread, info, called);
  }
  RecordOutcome(abi::Status::kSignaled, &thread);
}

// The default action of `signal`, for real.
[[noreturn]] void Die(int signal) {
  InstallDefault(signal);
  const SignalSet open = 0;
  sys::Call(SYS_tgkill, sys::GetPid(), sys::GetTid(), signal);
  sys::Call(SYS_rt_sigprocmask, SIG_SETMASK, sys::Arg(&open), 0, sizeof(open));
  sys::ExitGroup(128 + signal);  // it is not deadly here
}

// A call of what is no code, such as a null pointer, is the caller's fault:
// what it pushed says where. Nobody goes on with these registers.
Called StepBackFromBadCall(const Thread& thread, const siginfo_t& info,
                           ucontext_t& machine) {
  greg_t* registers = machine.uc_mcontext.gregs;
  const auto pc = static_cast<uint64_t>(registers[REG_RIP]);
  const auto sp = static_cast<uint64_t>(registers[REG_RSP]);
  if (info.si_signo != SIGSEGV || info.si_code <= 0 ||
      reinterpret_cast<uint64_t>(info.si_addr) != pc) {
    return Called::kCode;
  }
  if (sp < reinterpret_cast<uint64_t>(thread.stack_limit) ||
      sp + sizeof(uint64_t) > reinterpret_cast<uint64_t>(thread.stack_top)) {
    return Called::kCode;
  }
  uint64_t back;
  memcpy(&back, reinterpret_cast<const void*>(sp), sizeof(back));
  registers[REG_RIP] = static_cast<greg_t>(back - 1);  // inside the call
  registers[REG_RSP] = static_cast<greg_t>(sp + sizeof(back));
  return Called::kNoCode;
}

void OnFault(int signal, siginfo_t* info, void* machine) {
  auto* registers = static_cast<ucontext_t*>(machine);
  if (info->si_code > 0 && AnswersForLook(*registers)) return;
  if (AnswersForProcessor(*info, *registers)) return;
  Thread* thread = tls_self;
  const bool own =
      thread != nullptr && control_page() != nullptr && InOwnProcess();
  if (!own) Die(signal);
  if (info->si_code <= 0 && info->si_pid != sys::GetPid()) {
    Arrived(signal, info, machine);  // no fault of the program's
    return;
  }
  if (GoToHandler(*thread, info, registers)) return;
  Called called = StepBackFromBadCall(*thread, *info, *registers);
  if (IsFromFreed(*info, *registers)) called = Called::kFreed;
  StepOutOfStub(*thread, registers->uc_mcontext.gregs);
  KeepStacks(*thread, registers);
  RecordFault(*thread, *info,
              static_cast<uint64_t>(registers->uc_mcontext.gregs[REG_RIP]),
              called);
  Die(signal);
}

bool time_is_over = false;  // and the running thread has been told

// Racy by design: another kernel thread may be running and changing what is
// recorded here; the process ends in any case.
void OnTime(int signal, siginfo_t* info, void* machine) {
  if (IsAboutProgress(*info)) {
    LookAtProgress(signal, machine);
    return;
  }
  if (IsAboutBlocked(*info)) {
    LookForBlocked(signal, *static_cast<ucontext_t*>(machine));
    return;
  }
  const bool passed_on = info->si_code == SI_TKILL && time_is_over &&
                         info->si_pid == sys::GetPid();
  const bool from_timer =
      info->si_code == SI_TIMER && info->si_value.sival_ptr == &time_mark;
  // A nudge: the wait that it interrupts is over, and that is all.
  if (!passed_on && info->si_code == SI_TKILL &&
      info->si_pid == sys::GetPid()) {
    return;
  }
  if (!passed_on && !from_timer) {
    Arrived(signal, info, machine);  // the program uses it as well
    return;
  }
  if (control_page() == nullptr || gate().running() == nullptr) return;
  const Thread& running = *gate().running();
  const int tid = KernelTidOf(running);
  if (!time_is_over && tid != 0 && tid != sys::GetTid()) {
    // Only there is it known where it is; the tool's own limit remains.
    time_is_over = true;
    sys::Call(SYS_tgkill, sys::GetPid(), tid, signal);
    return;
  }
  auto* registers = static_cast<ucontext_t*>(machine);
  StepOutOfCall(running, registers->uc_mcontext.gregs);
  const BlockedCall blocked = FindBlockedCall(*registers);
  if (blocked.pc != 0) TellBlockedCall(blocked);
  StopForTime(running,
              static_cast<uint64_t>(registers->uc_mcontext.gregs[REG_RIP]),
              blocked);
}

// A sanitizer may have begun before us: what it has installed is the program's.
void KeepAction(int signal) {
  Action before = {};
  sys::Call(SYS_rt_sigaction, signal, 0, sys::Arg(&before), sizeof(SignalSet));
  if (before.HasHandler()) SetAction(gate().thread(0), signal, before);
}

// The timer that runs; negative = none does.
int time_limit = -1;

void StartTimer(uint64_t max_ns) {
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = kOwnSignal;
  event.sigev_value.sival_ptr = &time_mark;
  int timer = 0;
  if (sys::Call(SYS_timer_create, CLOCK_MONOTONIC, sys::Arg(&event),
                sys::Arg(&timer)) != 0) {
    return;  // the tool's own limit remains
  }
  time_limit = timer;
  itimerspec when = {};
  when.it_value.tv_sec = static_cast<time_t>(max_ns / 1'000'000'000);
  when.it_value.tv_nsec = static_cast<long>(max_ns % 1'000'000'000);
  sys::Call(SYS_timer_settime, timer, 0, sys::Arg(&when));
}

}  // namespace

namespace fairlead::rt {

void WatchFaults(uint64_t max_ns) {
  UseSignalStack(ArenaArray<char>(kSignalStackBytes), kSignalStackBytes);
  for (int signal : kFaults) {
    KeepAction(signal);
    InstallOwn(signal, OnFault);
  }
  InstallOwn(kOwnSignal, OnTime);
  RenewTimer(max_ns);
}

void RenewTimer(uint64_t max_ns) {
  if (PlanAsks(abi::kPlanDebugger)) return;
  WatchProgress(kOwnSignal, max_ns);
  RenewBlockedWatch(max_ns);
  if (max_ns == 0) return;
  StartTimer(max_ns);
}

void EndTimer() {
  if (time_limit >= 0) sys::Call(SYS_timer_delete, time_limit);
  time_limit = -1;
}

void EndBySignal(Thread& thread, const siginfo_t& info, uint64_t pc) {
  RecordFault(thread, info, pc, Called::kCode);
  Die(info.si_signo);
}

void StopForAWhile() { sys::Call(SYS_kill, sys::GetPid(), SIGSTOP); }

}  // namespace fairlead::rt
