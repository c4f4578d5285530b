#include "runtime/intercept/progress.h"

#include <dlfcn.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "runtime/carrier/tls.h"
#include "runtime/emit/emitter.h"
#include "runtime/execution.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/stall.h"
#include "runtime/outside/call.h"
#include "runtime/sites/nodes.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kLongest = 60 * kSecond;
constexpr uint64_t kShortest = kSecond / 5;
// Looks without a change that make a spin.
constexpr uint32_t kLooks = 4;

char mark;           // in the signals of the timer
uint64_t limit_ns;   // of processor time
uint64_t seen;       // of what has happened, at the last look
uint32_t unchanged;  // looks since

uint64_t Happened() {
  return gate().points() + emitter().num_events() + num_calls();
}

[[noreturn]] void StopSpinning(Thread& running, uint64_t pc) {
  SettleContext(running);
  emitter().SettlePlace(running);
  Text text = OutcomeText();
  text.Put("cut: ");
  PutThreadName(text, running);
  text.Put(" was running for ").Decimal(limit_ns / 1'000'000);
  text.Put(" ms of processor time without an event or a system call, in ");
  PutFunction(text, pc);
  control_page()->outcome.cut_reason = abi::CutReason::kUninstrumentedSpin;
  control_page()->outcome.fault_pc = pc;
  RecordOutcome(abi::Status::kCut, &running);
  StopProcess();
}

}  // namespace

void PutFunction(Text& text, uint64_t pc) {
  Dl_info found = {};
  if (dladdr(reinterpret_cast<void*>(pc), &found) == 0 ||
      found.dli_fname == nullptr) {
    text.Put("code at ").Hex(pc);
    return;
  }
  const char* file = strrchr(found.dli_fname, '/');
  file = file == nullptr ? found.dli_fname : file + 1;
  if (found.dli_sname != nullptr) {
    text.Put(found.dli_sname).Put(" of ").Put(file);
    return;
  }
  text.Put(file).Put("+");
  text.Hex(pc - reinterpret_cast<uint64_t>(found.dli_fbase));
}

void WatchProgress(int signal, uint64_t max_ns) {
  limit_ns = max_ns == 0 ? kLongest : max_ns / 4;
  if (limit_ns > kLongest) limit_ns = kLongest;
  if (limit_ns < kShortest) limit_ns = kShortest;
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal;
  event.sigev_value.sival_ptr = &mark;
  int timer = 0;
  if (sys::Call(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, sys::Arg(&event),
                sys::Arg(&timer)) != 0) {
    return;  // the time limit remains
  }
  const uint64_t period = limit_ns / kLooks;
  itimerspec when = {};
  when.it_value.tv_sec = static_cast<time_t>(period / kSecond);
  when.it_value.tv_nsec = static_cast<long>(period % kSecond);
  when.it_interval = when.it_value;
  sys::Call(SYS_timer_settime, timer, 0, sys::Arg(&when));
}

bool IsAboutProgress(const siginfo_t& info) {
  // A thread that was not the running one passes the signal on.
  return (info.si_code == SI_TIMER && info.si_value.sival_ptr == &mark) ||
         (info.si_code == SI_TKILL && info.si_pid == sys::GetPid() &&
          unchanged > kLooks);
}

// Racy by design: it reads what the running thread may be changing. A change
// that is missed is seen at the next look.
void LookAtProgress(int signal, void* machine) {
  if (control_page() == nullptr || gate().running() == nullptr) return;
  const uint64_t now = Happened();
  if (now != seen) {
    seen = now;
    unchanged = 0;
    return;
  }
  if (++unchanged <= kLooks) return;
  Thread& running = *gate().running();
  const int tid = KernelTidOf(running);
  if (tid != 0 && tid != sys::GetTid()) {
    // Only there is it known where it is. Should that fail, the next look ends
    // it all the same.
    if (unchanged == kLooks + 1) {
      sys::Call(SYS_tgkill, sys::GetPid(), tid, signal);
      return;
    }
  }
  const auto* registers = static_cast<const ucontext_t*>(machine);
  StopSpinning(running,
               static_cast<uint64_t>(registers->uc_mcontext.gregs[REG_RIP]));
}

}  // namespace fairlead::rt
