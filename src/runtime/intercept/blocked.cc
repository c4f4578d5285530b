#include "runtime/intercept/blocked.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "runtime/carrier/tls.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/intercept/progress.h"
#include "runtime/outside/arrivals.h"
#include "runtime/outside/call.h"
#include "runtime/sys/dispatch.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kLongest = kSecond;
constexpr uint64_t kShortest = kSecond / 20;
constexpr uint64_t kLooksInLimit = 64;

char mark;  // in the signals of the timer
int timer = -1;
uint64_t period_ns;
bool passed_on;     // to the kernel thread that runs
uint64_t seen;      // of what has happened, at the last look
uint64_t seen_pc;   // where it waited then
bool told = false;  // of this wait

void SetTimer() {
  if (timer < 0) return;
  itimerspec when = {};
  when.it_value.tv_sec = static_cast<time_t>(period_ns / kSecond);
  when.it_value.tv_nsec = static_cast<long>(period_ns % kSecond);
  sys::Call(SYS_timer_settime, timer, 0, sys::Arg(&when));
}

uint64_t Happened() {
  return gate().points() + emitter().num_events() + num_calls();
}

// Code before `pc` may be on a page that is not there.
bool HasCodeBefore(uint64_t pc, uint64_t bytes) {
  constexpr uint64_t kPage = 4096;
  return pc % kPage >= bytes;
}

bool IsCallAt(uint64_t pc) {
  return memcmp(reinterpret_cast<const void*>(pc), "\x0f\x05", 2) == 0;
}

// Of a call that ends behind `pc`: `mov $number, %eax` is how libc begins it.
uint64_t NumberAhead(uint64_t pc) {
  constexpr uint64_t kBytes = 7;
  constexpr unsigned char kLoad = 0xb8;
  if (!HasCodeBefore(pc, kBytes)) return abi::kUnknownCall;
  const auto* code = reinterpret_cast<const unsigned char*>(pc - kBytes);
  if (*code != kLoad) return abi::kUnknownCall;
  uint32_t number;
  memcpy(&number, code + 1, sizeof(number));
  return number;
}

}  // namespace

BlockedCall FindBlockedCall(const ucontext_t& machine) {
  const greg_t* registers = machine.uc_mcontext.gregs;
  const auto pc = static_cast<uint64_t>(registers[REG_RIP]);
  if (IsOwnCode(pc)) {
    const PassedCall passed = passed_call();
    return {.pc = reinterpret_cast<uint64_t>(passed.caller),
            .number = static_cast<uint64_t>(passed.number)};
  }
  // The kernel will take it up again.
  if (IsCallAt(pc)) {
    return {.pc = pc + 2, .number = static_cast<uint64_t>(registers[REG_RAX])};
  }
  if (registers[REG_RAX] == -EINTR && HasCodeBefore(pc, 2) &&
      IsCallAt(pc - 2)) {
    return {.pc = pc, .number = NumberAhead(pc)};
  }
  return {};
}

void TellBlockedCall(const BlockedCall& call) {
  if (told) return;
  told = true;
  CountUncontrolled(abi::Uncontrolled::kBlockingCall);
  abi::Outcome& outcome = control_page()->outcome;
  if (outcome.blocked_pc != 0) return;
  outcome.blocked_call = call.number;
  outcome.blocked_pc = call.pc;
}

void PutBlockedCall(Text& text, const BlockedCall& call) {
  text.Put("a system call");
  if (call.number != abi::kUnknownCall) {
    text.Put(" (number ").Decimal(call.number).Put(")");
  }
  text.Put(" by ");
  PutFunction(text, call.pc);
}

void WatchBlocked(uint64_t max_ns) {
  if (PlanAsks(abi::kPlanDebugger)) return;
  period_ns = max_ns == 0 ? kLongest : max_ns / kLooksInLimit;
  if (period_ns > kLongest) period_ns = kLongest;
  if (period_ns < kShortest) period_ns = kShortest;
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = kOwnSignal;
  event.sigev_value.sival_ptr = &mark;
  if (sys::Call(SYS_timer_create, CLOCK_MONOTONIC, sys::Arg(&event),
                sys::Arg(&timer)) != 0) {
    return;  // then it is told at the time limit
  }
  SetTimer();
}

void RenewBlockedWatch(uint64_t max_ns) {
  if (timer >= 0) WatchBlocked(max_ns);
}

bool IsAboutBlocked(const siginfo_t& info) {
  return (info.si_code == SI_TIMER && info.si_value.sival_ptr == &mark) ||
         (info.si_code == SI_TKILL && info.si_pid == sys::GetPid() &&
          passed_on);
}

// Racy by design, as LookAtProgress.
void LookForBlocked(int signal, const ucontext_t& machine) {
  if (control_page() == nullptr || gate().running() == nullptr) return;
  const int tid = KernelTidOf(*gate().running());
  if (!passed_on && tid != 0 && tid != sys::GetTid()) {
    passed_on = true;
    sys::Call(SYS_tgkill, sys::GetPid(), tid, signal);
    return;
  }
  passed_on = false;
  const uint64_t now = Happened();
  const BlockedCall call = FindBlockedCall(machine);
  if (now != seen || call.pc != seen_pc) told = false;
  if (call.pc != 0 && now == seen && call.pc == seen_pc) TellBlockedCall(call);
  seen = now;
  seen_pc = call.pc;
  SetTimer();
}

}  // namespace fairlead::rt
