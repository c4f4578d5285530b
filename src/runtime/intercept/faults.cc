#include "runtime/intercept/faults.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "runtime/carrier/stacks.h"
#include "runtime/emit/emitter.h"
#include "runtime/execution.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/stall.h"
#include "runtime/intercept/causes.h"
#include "runtime/intercept/fork.h"
#include "runtime/intercept/hook.h"
#include "runtime/intercept/real.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/syscall.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
constexpr int kMaxSignal = 65;
// The last real-time signal: libc gives it to nobody, programs count from the
// other end.
constexpr int kTimeSignal = 64;

// What the program has installed for the signals in kFaults.
struct sigaction program_actions[kMaxSignal];
bool watching = false;

bool IsFault(int signal) {
  for (int fault : kFaults) {
    if (fault == signal) return true;
  }
  return false;
}

const char* SignalName(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV (invalid memory access)";
    case SIGBUS:
      return "SIGBUS (bad memory access)";
    case SIGFPE:
      return "SIGFPE (arithmetic error)";
    case SIGILL:
      return "SIGILL (illegal instruction)";
    case SIGABRT:
      return "SIGABRT (abort)";
    default:
      return "SIGTRAP (trap)";
  }
}

void RecordFault(Thread& thread, int signal, const siginfo_t& info,
                 uint64_t pc) {
  abi::Outcome& outcome = control_page()->outcome;
  const bool has_address = info.si_code > 0;
  outcome.signal = signal;
  outcome.signal_code = info.si_code;
  outcome.fault_pc = pc;
  outcome.fault_address =
      has_address ? reinterpret_cast<uint64_t>(info.si_addr) : 0;
  thread.inside = 1;
  emitter().Emit(
      thread, signal == SIGABRT ? EventKind::kAbort : EventKind::kFault, 0,
      has_address ? info.si_addr : nullptr, static_cast<uint64_t>(signal));
  // A misuse has been described already, and is the cause.
  if (outcome.misuse == abi::Misuse::kNone) {
    Text text = OutcomeText();
    text.Put("crash: ");
    PutThreadName(text, thread);
    text.Put(" got ").Put(SignalName(signal));
    if (has_address) text.Put(" at address ").Hex(outcome.fault_address);
    if (signal == SIGABRT) PutAbortCause(text, thread);
  }
  RecordOutcome(abi::Status::kSignaled, &thread);
}

// Gives the program's own handler its turn. False when there is none.
bool CallProgramHandler(int signal, siginfo_t* info, void* machine) {
  struct sigaction& action = program_actions[signal];
  if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
    return false;
  }
  const struct sigaction chosen = action;
  if ((chosen.sa_flags & SA_RESETHAND) != 0) action.sa_handler = SIG_DFL;
  if ((chosen.sa_flags & SA_SIGINFO) != 0) {
    chosen.sa_sigaction(signal, info, machine);
  } else {
    chosen.sa_handler(signal);
  }
  return true;
}

void OnFault(int signal, siginfo_t* info, void* machine) {
  if (CallProgramHandler(signal, info, machine)) return;
  Thread* thread = tls_self;
  if (thread != nullptr && control_page() != nullptr && InOwnProcess()) {
    const auto* registers = static_cast<const ucontext_t*>(machine);
    RecordFault(*thread, signal, *info,
                static_cast<uint64_t>(registers->uc_mcontext.gregs[REG_RIP]));
  }
  // Blocked until this handler returns, then deadly.
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  real().sigaction(signal, &action, nullptr);
  sys::Call(SYS_tgkill, sys::GetPid(), sys::GetTid(), signal);
}

// Racy by design: another kernel thread may be running and changing what is
// recorded here; the process ends in any case.
void OnTime(int, siginfo_t*, void*) {
  if (control_page() == nullptr || gate().running() == nullptr) return;
  StopForTime(*gate().running());
}

void Install(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  real().sigaction(signal, &action,
                   IsFault(signal) ? &program_actions[signal] : nullptr);
}

void StartTimer(uint64_t max_ns) {
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = kTimeSignal;
  int timer = 0;
  if (sys::Call(SYS_timer_create, CLOCK_MONOTONIC, sys::Arg(&event),
                sys::Arg(&timer)) != 0) {
    return;  // the tool's own limit remains
  }
  itimerspec when = {};
  when.it_value.tv_sec = static_cast<time_t>(max_ns / 1'000'000'000);
  when.it_value.tv_nsec = static_cast<long>(max_ns % 1'000'000'000);
  sys::Call(SYS_timer_settime, timer, 0, sys::Arg(&when));
}

// What sigaction() would do for a signal of ours, on our table.
void Exchange(int signal, const struct sigaction* wanted,
              struct sigaction* old) {
  if (old != nullptr) *old = program_actions[signal];
  if (wanted != nullptr) program_actions[signal] = *wanted;
}

}  // namespace

namespace fairlead::rt {

void WatchFaults(uint64_t max_ns) {
  UseSignalStack(ArenaArray<char>(kSignalStackBytes), kSignalStackBytes);
  for (int signal : kFaults) Install(signal, OnFault);
  watching = true;
  if (max_ns == 0) return;
  Install(kTimeSignal, OnTime);
  StartTimer(max_ns);
}

void UseSignalStack(char* begin, size_t bytes) {
  stack_t stack = {};
  stack.ss_sp = begin;
  stack.ss_size = bytes;
  sys::Call(SYS_sigaltstack, sys::Arg(&stack), 0);
}

}  // namespace fairlead::rt

extern "C" FL_HOOK int sigaction(int signal, const struct sigaction* wanted,
                                 struct sigaction* old) {
  if (!watching || !IsFault(signal)) {
    return real().sigaction(signal, wanted, old);
  }
  Exchange(signal, wanted, old);
  return 0;
}

extern "C" FL_HOOK sighandler_t signal(int signal, sighandler_t handler) {
  if (!watching || !IsFault(signal)) return real().signal(signal, handler);
  struct sigaction wanted = {};
  struct sigaction old = {};
  wanted.sa_handler = handler;
  wanted.sa_flags = SA_RESTART;
  Exchange(signal, &wanted, &old);
  return old.sa_handler;
}
