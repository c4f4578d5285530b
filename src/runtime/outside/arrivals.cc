#include "runtime/outside/arrivals.h"

#include <string.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/deliver.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/model/signal_waits.h"
#include "runtime/outside/waiting.h"
#include "runtime/sys/dispatch.h"
#include "runtime/sys/own_process.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kRestorer = 0x04000000;  // SA_RESTORER
// System calls of libc come as SIGSYS, also inside of handlers.
constexpr SignalSet kAllBlockable = ~Only(SIGSYS);

enum SlotUse : uint32_t { kFree, kClaimed, kFilled };

// A signal between the kernel and the next thread at the gate.
struct Arrival {
  uint32_t use;    // SlotUse
  uint64_t order;  // among all arrivals
  Thread* target;  // null = the process
  siginfo_t info;
};
// More at once than a program can have pending without real-time signals.
constexpr size_t kArrivals = 64;
Arrival arrivals[kArrivals];
uint64_t num_arrived = 0;
uint64_t num_taken = 0;     // of these
uint32_t arrival_word = 0;  // futex; changes with each

int waiting_thread = 0;  // kernel's number of the one in a RealWait; 0 = none

SignalSet ours;  // whose handler in the kernel is `Arrived`
// Handlers of other parts of the runtime, which know what to do.
constexpr SignalSet kElsewhere = Only(SIGSEGV) | Only(SIGBUS) | Only(SIGFPE) |
                                 Only(SIGILL) | Only(SIGABRT) | Only(SIGTRAP) |
                                 Only(SIGSYS) | Only(kOwnSignal);

// The schedule's signals that have not come yet.
const abi::InputRecord* next_record = nullptr;
const abi::InputRecord* end_of_records = nullptr;
bool must_follow = false;

void SetKernelAction(int signal, const Action& action) {
  sys::Call(SYS_rt_sigaction, signal, sys::Arg(&action), 0, sizeof(SignalSet));
}

SignalSet SetKernelMask(SignalSet mask) {
  SignalSet old = 0;
  sys::Call(SYS_rt_sigprocmask, SIG_SETMASK, sys::Arg(&mask), sys::Arg(&old),
            sizeof(mask));
  return old;
}

void InstallArrived(int signal, uint64_t flags) {
  Action action = {};
  action.informed = Arrived;
  action.flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | kRestorer | flags;
  action.restorer = __fl_restore;
  action.mask = kAllBlockable;
  SetKernelAction(signal, action);
  ours |= Only(signal);
}

// What only the kernel can do about children.
uint64_t ChildFlags(int signal, const Action& action) {
  if (signal != SIGCHLD) return 0;
  return action.flags & (SA_NOCLDSTOP | SA_NOCLDWAIT);
}

// How the schedule names the point and the target.
uint64_t ValueOf(const Thread& from, const Thread* target, int signal) {
  const uint64_t to = target == nullptr ? 0 : abi::Index(target->tid) + 1;
  return static_cast<uint64_t>(signal) | to << 8 | uint64_t{from.count} << 32;
}

// What follows the siginfo_t in the schedule: when it came; 0 = as the thread
// came to the gate, otherwise the moment (gate/inputs.h).
uint64_t MomentOf(const Thread& from, Arriving when) {
  constexpr uint64_t kBehindCall = uint64_t{1} << 63;
  switch (when) {
    case Arriving::kAtPoint:
      return 0;
    case Arriving::kWhileWaiting:
      return inputs().moment();
    case Arriving::kBehindCall:
      return kBehindCall | from.signals.calls;
  }
  return 0;
}

void Take(Thread& from, Thread* target, siginfo_t info, Arriving when) {
  uint64_t moment = MomentOf(from, when);
  Outputs payload;
  payload.Add(&info, sizeof(info));
  payload.Add(&moment, sizeof(moment));
  inputs().Record(from.tid, abi::InputKind::kSignal,
                  ValueOf(from, target, info.si_signo), &payload);
  emitter().Emit(from, EventKind::kInput, 0, nullptr,
                 static_cast<uint64_t>(info.si_signo));
  Send(nullptr, target, info);
}

// The oldest one that is whole; null = none.
Arrival* Oldest() {
  Arrival* oldest = nullptr;
  for (Arrival& arrival : arrivals) {
    // Pairs with the release store in Arrived.
    if (__atomic_load_n(&arrival.use, __ATOMIC_ACQUIRE) != kFilled) {
      continue;
    }
    if (oldest == nullptr || arrival.order < oldest->order) oldest = &arrival;
  }
  return oldest;
}

// A signal for the kernel thread in a RealWait, if that is another one than
// this: intercept/faults.cc ignores it, and the wait is over.
void WakeWaiting() {
  // Pairs with the store in RealWait: the arrival is seen there, or the number
  // here.
  const int waiting = __atomic_load_n(&waiting_thread, __ATOMIC_SEQ_CST);
  if (waiting != 0 && waiting != sys::GetTid()) {
    sys::Call(SYS_tgkill, sys::GetPid(), waiting, kOwnSignal);
  }
}

void SkipOtherInputs() {
  while (next_record != end_of_records &&
         next_record->kind != abi::InputKind::kSignal) {
    ++next_record;
  }
}

// The signals that the schedule has at this point.
void TakeRecorded(Thread& from, Arriving when) {
  while (next_record != end_of_records && next_record->thread == from.tid &&
         next_record->value >> 32 == from.count) {
    siginfo_t info = {};
    uint64_t moment = 0;
    Outputs payload;
    payload.Add(&info, sizeof(info));
    payload.Add(&moment, sizeof(moment));
    inputs().Fill(*next_record, payload);
    if (moment != MomentOf(from, when)) return;
    const size_t to = (next_record->value >> 8) & 0xffffff;
    info.si_signo = static_cast<int>(next_record->value & 0xff);
    ++next_record;
    SkipOtherInputs();
    if (!IsSignal(info.si_signo) || to > gate().num_threads()) continue;
    Take(from, to == 0 ? nullptr : &gate().thread(to - 1), info, when);
  }
}

bool Awaits(const Thread& thread) {
  return thread.intent.op == EventKind::kSignalWait &&
         MayComeFromOutside(HopedFor(thread));
}

}  // namespace

void Arrived(int signal, siginfo_t* info, void*) {
  if (!InOwnProcess()) return;  // a child of vfork has our memory
  for (Arrival& arrival : arrivals) {
    uint32_t expected = kFree;
    // Handlers of several kernel threads may run at once.
    if (!__atomic_compare_exchange_n(&arrival.use, &expected, kClaimed, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      continue;
    }
    arrival.order = __atomic_fetch_add(&num_arrived, 1, __ATOMIC_RELAXED);
    arrival.info = *info;
    // A broken pipe concerns the thread that has just written.
    arrival.target = signal == SIGPIPE && info->si_pid == sys::GetPid()
                         ? gate().running()
                         : nullptr;
    // Pairs with the acquire load in Oldest: the arrival is whole.
    __atomic_store_n(&arrival.use, kFilled, __ATOMIC_RELEASE);
    break;
  }
  gate().Attend();
  __atomic_fetch_add(&arrival_word, 1, __ATOMIC_RELEASE);
  sys::FutexWake(&arrival_word, 1, FUTEX_PRIVATE_FLAG);
  WakeWaiting();
}

RealWait::RealWait() {
  SetKernelMask(kAllBlockable);
  __atomic_store_n(&waiting_thread, sys::GetTid(), __ATOMIC_SEQ_CST);
}
RealWait::~RealWait() {
  __atomic_store_n(&waiting_thread, 0, __ATOMIC_SEQ_CST);
  SetKernelMask(mask_);
}
bool RealWait::has_arrived() const { return Oldest() != nullptr; }

SignalSet OpenKernelMask() { return SetKernelMask(0); }
void ShowMask(const Thread& self) { SetKernelMask(self.signals.mask); }
void HideMask() { SetKernelMask(0); }

Action KernelAction(int signal) {
  Action action = {};
  if (Has(ours | kElsewhere, signal)) return action;
  sys::Call(SYS_rt_sigaction, signal, 0, sys::Arg(&action), sizeof(SignalSet));
  return action;
}

void TakeOver(SignalSet signals) {
  SignalSet added = signals & ~ours & ~kElsewhere & ~Only(SIGKILL) &
                    ~Only(SIGSTOP) & ~Only(32) & ~Only(33);
  for (; added != 0; added &= added - 1) {
    const int signal = __builtin_ctzll(added) + 1;
    const Action& action = ActionOf(signal);
    InstallArrived(signal, ChildFlags(signal, action));
  }
}

void TellKernel(int signal, const Action& action) {
  if (Has(kElsewhere, signal)) return;
  bool blocked = false;
  for (size_t i = 0; i < gate().num_live(); ++i) {
    const ThreadSignals& signals = gate().live(i).signals;
    blocked = blocked || Has(signals.mask | signals.awaited, signal);
  }
  const bool driven = signal == SIGTERM && PlanAsks(abi::kPlanDriven);
  if (action.HasHandler() || blocked || driven) {
    InstallArrived(signal, ChildFlags(signal, action));
    return;
  }
  ours &= ~Only(signal);
  Action kernels = action;
  kernels.flags = ChildFlags(signal, action);
  kernels.restorer = nullptr;
  SetKernelAction(signal, kernels);
}

void InstallOwn(int signal, void (*handler)(int, siginfo_t*, void*)) {
  Action action = {};
  action.informed = handler;
  action.flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | kRestorer;
  action.restorer = __fl_restore;
  action.mask = kAllBlockable;
  SetKernelAction(signal, action);
}

void InstallDefault(int signal) { SetKernelAction(signal, {}); }

void HandToKernel(const Thread& self) {
  for (int signal = 1; signal <= kNumSignals; ++signal) {
    if (!Has(ours | kElsewhere, signal)) continue;
    Action action = ActionOf(signal);
    if (action.HasHandler() && action.restorer == nullptr) {
      action.flags |= kRestorer;
      action.restorer = __fl_restore;
    }
    SetKernelAction(signal, action);
  }
  stack_t stack = self.signals.stack;
  if (stack.ss_size == 0) stack.ss_flags = SS_DISABLE;
  sys::Call(SYS_sigaltstack, sys::Arg(&stack), 0);
  SetKernelMask(self.signals.mask);
}

void PrepareArrivals() {
  abi::ControlPage& page = *control_page();
  if (PlanAsks(abi::kPlanDriven)) TakeOver(Only(SIGTERM));
  if (!PlanAsks(abi::kPlanFollow | abi::kPlanPrefix)) return;
  must_follow = PlanAsks(abi::kPlanFollow);
  next_record = page.entries<abi::InputRecord>(abi::RegionId::kInputsIn);
  end_of_records = next_record + page.region(abi::RegionId::kInputsIn).used;
  SkipOtherInputs();
  if (next_record != end_of_records) gate().Attend();
}

void TakeArrivals(Thread& from, Arriving when) {
  const bool follows = must_follow || next_record != end_of_records;
  if (follows) TakeRecorded(from, when);
  for (Arrival* next = Oldest(); next != nullptr; next = Oldest()) {
    const Arrival arrival = *next;
    // Pairs with the acquire exchange in Arrived: the slot may be filled anew.
    __atomic_store_n(&next->use, kFree, __ATOMIC_RELEASE);
    ++num_taken;
    if (IsLost(arrival.target, arrival.info.si_signo)) continue;
    if (!follows) Take(from, arrival.target, arrival.info, when);
  }
  if (next_record != end_of_records) gate().Attend();
}

bool HasArrivals() {
  return __atomic_load_n(&num_arrived, __ATOMIC_RELAXED) != num_taken;
}

void SettleSignals(Thread& thread) {
  if (!PlanAsks(abi::kPlanSignalsAtCalls)) return;
  ThreadSignals& signals = thread.signals;
  if (signals.calls_count != thread.count) signals.calls = 0;
  signals.calls_count = thread.count;
  ++signals.calls;
  if (next_record != end_of_records || HasArrivals()) {
    TakeArrivals(thread, Arriving::kBehindCall);
  }
  DeliverBehind(thread);
}

bool AwaitArrival(Thread& from) {
  const SignalSet outside = SignalsAwaitedOutside();
  bool hoped = outside != 0 && MayComeFromOutside(outside);
  for (size_t i = 0; i < gate().num_live(); ++i) {
    hoped = hoped || Awaits(gate().live(i));
  }
  if (!hoped) return false;
  if (must_follow) {
    const abi::InputRecord* next = next_record;
    TakeArrivals(from, Arriving::kWhileWaiting);
    return next != next_record;
  }
  emitter().Publish();
  // Pairs with the release increment in Arrived.
  const uint32_t seen = __atomic_load_n(&arrival_word, __ATOMIC_ACQUIRE);
  if (Oldest() == nullptr) {
    sys::FutexWait(&arrival_word, seen, nullptr, FUTEX_PRIVATE_FLAG);
  }
  TakeArrivals(from, Arriving::kWhileWaiting);
  return true;
}

}  // namespace fairlead::rt
