#include "runtime/intercept/progress.h"

#include <dlfcn.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "runtime/carrier/tls.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/gate/outcome.h"
#include "runtime/intercept/access.h"
#include "runtime/intercept/fault_handler.h"
#include "runtime/model/sleep.h"
#include "runtime/outside/arrivals.h"
#include "runtime/outside/call.h"
#include "runtime/sites/nodes.h"
#include "runtime/sys/dispatch.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"
#include "runtime/thread/name.h"
#include "runtime/thread/program_sp.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kLongest = 60 * kSecond;
constexpr uint64_t kShortest = kSecond / 5;
// Between looks, of processor time; the kernel counts it in steps as long.
constexpr uint64_t kPeriod = 4'000'000;
// Looks in a row that found nothing new, and of which so many saw the same
// registers, make a spin.
constexpr uint32_t kSamples = 16;
constexpr uint32_t kSameSamples = 3;
// Of processor time without anything new, until a thread is made to yield
// though it may be at work; less if the limit is near.
constexpr uint64_t kPatience = kSecond / 2;

char mark;           // in the signals of the timer
uint64_t limit_ns;   // of processor time
uint64_t force_ns;   // the same
uint64_t seen;       // of what has happened, at the last look
uint32_t unchanged;  // looks since
uint64_t seen_gate;  // comings to the gate, and calls, at the last look
uint32_t unforced;   // looks since, or since a thread was last made to yield
bool passed_on;    // to the kernel thread that runs; it has not come there yet
uint64_t yielded;  // how often a spinning thread has

// The registers at one look, and at how many others they were the same.
struct Sample {
  greg_t registers[NGREG];
  uint32_t same;
};
Sample samples[kSamples];
uint32_t num_samples;

// A spin that yields is a point and an event; nothing has happened by that.
uint64_t Happened() {
  return gate().points() + emitter().num_events() + num_calls() - 2 * yielded;
}

// General registers and the instruction: what is behind them tells of the fault
// that there was none of.
bool IsSame(const Sample& sample, const greg_t* registers) {
  return memcmp(sample.registers, registers, (REG_RIP + 1) * sizeof(greg_t)) ==
         0;
}

// Whether the registers were often enough as they are now.
bool HasSeen(const greg_t* registers) {
  for (uint32_t i = 0; i < num_samples && i < kSamples; ++i) {
    if (IsSame(samples[i], registers)) {
      return ++samples[i].same >= kSameSamples;
    }
  }
  Sample& sample = samples[num_samples++ % kSamples];
  memcpy(sample.registers, registers, sizeof(sample.registers));
  sample.same = 0;
  return false;
}

void YieldForSpinning(Thread& thread) {
  program_sp[abi::Index(thread.tid)] = nullptr;  // it has not called us
  ++yielded;
  SettleContext(thread);
  gate().SpinsOutside(thread);
  Yield(thread, thread.place);
}

// Where a thread is made to yield depends on the processor: the schedule says
// that it was, and how often the thread had come to the gate. An execution that
// follows does it there, as soon as it looks.
void YieldByForce(Thread& thread) {
  program_sp[abi::Index(thread.tid)] = nullptr;  // it has not called us
  ++yielded;
  unforced = 0;
  yield_is_due = false;
  SettleContext(thread);
  inputs().Force(thread);
  ++control_page()->outcome.forced_yields;
  gate().YieldByForce(thread);
  // The kernel would have delivered them when its own timer interrupted it.
  SettleSignals(thread);
  Yield(thread, thread.place);
}

bool IsForced(const Thread& running) {
  if (inputs().must_follow()) return inputs().IsForcedNext(running);
  return unforced >= force_ns / kPeriod;
}

// Lets the interrupted thread yield, if it can: when it spins in code of the
// program's, or has run for so long that others must have their turn. Not if it
// would come back at once: how often it did would depend on how long it is left
// alone.
bool YieldsFor(Thread& running, ucontext_t* machine, bool happened) {
  // Code without sites never gets out of what starts a thread.
  const uint8_t quiet = running.launching ? 1 : 0;
  if (&running != tls_self || running.quiet != quiet || running.marked != 0) {
    return false;
  }
  if (!gate().AnythingElse() && !running.signals.due && !HasArrivals()) {
    return false;
  }
  const auto pc = static_cast<uint64_t>(machine->uc_mcontext.gregs[REG_RIP]);
  // Events are written by our own code, and must be whole before it may act.
  const bool in_event = running.slot.inside != 0 || IsOwnCode(pc);
  const bool spins =
      !happened && !in_event && HasSeen(machine->uc_mcontext.gregs);
  if (!spins && !IsForced(running)) return false;
  num_samples = 0;
  if (in_event) {
    yield_is_due = true;
    return false;
  }
  return GoByDetour(running, machine, spins ? YieldForSpinning : YieldByForce);
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

constinit volatile bool yield_is_due = false;

void YieldAsDue(Thread& thread) {
  yield_is_due = false;
  if (thread.slot.inside == 0 && thread.marked == 0) YieldByForce(thread);
}

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
  force_ns = kPatience < limit_ns / 2 ? kPatience : limit_ns / 2;
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal;
  event.sigev_value.sival_ptr = &mark;
  int timer = 0;
  if (sys::Call(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, sys::Arg(&event),
                sys::Arg(&timer)) != 0) {
    return;  // the time limit remains
  }
  itimerspec when = {};
  when.it_value.tv_nsec = kPeriod;
  when.it_interval = when.it_value;
  sys::Call(SYS_timer_settime, timer, 0, sys::Arg(&when));
}

bool IsAboutProgress(const siginfo_t& info) {
  // A thread that was not the running one passes the signal on.
  return (info.si_code == SI_TIMER && info.si_value.sival_ptr == &mark) ||
         (info.si_code == SI_TKILL && info.si_pid == sys::GetPid() &&
          passed_on);
}

// Racy by design: it reads what the running thread may be changing. A change
// that is missed is seen at the next look.
void LookAtProgress(int signal, void* machine) {
  if (control_page() == nullptr || gate().running() == nullptr) return;
  const uint64_t now = Happened();
  const uint64_t at_gate = gate().points() + num_calls();
  const bool happened = now != seen;
  if (happened) {
    seen = now;
    unchanged = 0;
    num_samples = 0;
    passed_on = false;
  }
  if (at_gate != seen_gate) {
    seen_gate = at_gate;
    unforced = 0;
    yield_is_due = false;
    if (happened) return;  // more than that a thread which spins has yielded
  }
  Thread& running = *gate().running();
  const int tid = KernelTidOf(running);
  const bool elsewhere = tid != 0 && tid != sys::GetTid();
  const bool over = unchanged >= limit_ns / kPeriod;
  // Only there is it known where it is. Should that fail, the next look ends it
  // all the same.
  if (elsewhere && !(over && passed_on)) {
    passed_on = true;
    sys::Call(SYS_tgkill, sys::GetPid(), tid, signal);
    return;
  }
  passed_on = false;
  if (!happened) ++unchanged;
  ++unforced;
  auto* interrupted = static_cast<ucontext_t*>(machine);
  if (over) {
    StepOutOfCall(running, interrupted->uc_mcontext.gregs);
    StopSpinning(running, static_cast<uint64_t>(
                              interrupted->uc_mcontext.gregs[REG_RIP]));
  }
  YieldsFor(running, interrupted, happened);
}

}  // namespace fairlead::rt
