#include "runtime/gate/stall.h"

#include <sys/uio.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/deliver.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/outcome.h"
#include "runtime/gate/outside.h"
#include "runtime/sys/page.h"
#include "runtime/sys/signal_name.h"
#include "runtime/sys/syscall.h"
#include "runtime/thread/name.h"

namespace fairlead::rt {
namespace {

Thread* HolderOf(const Thread& thread) {
  if (thread.state != ThreadState::kWaiting) return nullptr;
  if (thread.intent.holder == nullptr) return nullptr;
  const Tid holder = thread.intent.holder(thread);
  return holder == Tid::kNone ? nullptr : &gate().thread(abi::Index(holder));
}

// Whether following holders from `thread` leads back to it.
bool InCycle(const Thread& thread) {
  const Thread* next = HolderOf(thread);
  for (size_t i = 0; next != nullptr && i < gate().num_threads(); ++i) {
    if (next == &thread) return true;
    next = HolderOf(*next);
  }
  return false;
}

const char* Wants(EventKind op) {
  switch (op) {
    case EventKind::kLock:
      return "wants to lock ";
    case EventKind::kFileLock:
      return "wants to lock the file ";
    case EventKind::kWait:
      return "waits for a signal on ";
    case EventKind::kWaitDone:
      return "was signalled and wants back ";
    case EventKind::kDestroy:
      return "destroys, and waits for those who wait at ";
    case EventKind::kBarrierWait:
      return "waits at barrier ";
    case EventKind::kSemWait:
      return "waits for semaphore ";
    case EventKind::kJoin:
      return "waits for the end of ";
    case EventKind::kOnceBegin:
      return "waits for the initialisation ";
    case EventKind::kFutexWait:
      return "waits on futex ";
    default:
      return "waits for ";
  }
}

// By name: SIGUSR1 or SIGUSR2.
void PutSignals(Text& text, SignalSet set) {
  if (set == 0) text.Put("a signal");
  const char* separator = "";
  for (; set != 0; set &= set - 1) {
    text.Put(separator);
    text.Put(SignalName(__builtin_ctzll(set) + 1).c_str());
    separator = " or ";
  }
}

// What a thread waits for: an address of the program's, or a set of signals.
uint64_t WantedBy(const Thread& thread) {
  if (thread.intent.op == EventKind::kSignalWait) return HopedFor(thread);
  return reinterpret_cast<uint64_t>(thread.intent.object);
}

// What is in the futex that a thread waits for. Asked of the kernel, which
// knows whether the memory is still there.
uint32_t WordOf(const Thread& thread) {
  if (thread.intent.op != EventKind::kFutexWait) return 0;
  uint32_t word = 0;
  const iovec to = {&word, sizeof(word)};
  const iovec from = {const_cast<void*>(thread.intent.object), sizeof(word)};
  sys::Call(SYS_process_vm_readv, sys::GetPid(), sys::Arg(&to), 1,
            sys::Arg(&from), 1, 0);
  return word;
}

void Describe(Text& text, const Thread& thread) {
  PutThreadName(text, thread);
  text.Put(' ');
  if (thread.state == ThreadState::kEnabled) {
    text.Put("repeats itself");
    return;
  }
  if (thread.intent.op == EventKind::kSignalWait) {
    text.Put("waits for ");
    PutSignals(text, HopedFor(thread));
    text.Put(", which nobody is left to send");
    return;
  }
  if (thread.intent.op == EventKind::kTimer) {
    text.Put("waits for a timer to go off");
    return;
  }
  const Thread* holder = HolderOf(thread);
  if (thread.intent.op == EventKind::kJoin && holder != nullptr) {
    text.Put(Wants(thread.intent.op));
    PutThreadName(text, *holder);
    return;
  }
  if (thread.intent.op == EventKind::kUse) {
    DescribeOutside(text, thread);
    return;
  }
  text.Put(Wants(thread.intent.op));
  text.Hex(reinterpret_cast<uint64_t>(thread.intent.object));
  if (holder == &thread) {
    text.Put(", which it holds itself");
  } else if (holder != nullptr) {
    text.Put(", held by ");
    PutThreadName(text, *holder);
    if (holder->state == ThreadState::kEnded) text.Put(", which has ended");
  }
}

void RecordWaits() {
  abi::Outcome& outcome = control_page()->outcome;
  outcome.num_waits = 0;
  for (size_t i = 0; i < gate().num_threads(); ++i) {
    const Thread& thread = gate().thread(i);
    if (thread.state == ThreadState::kEnded) continue;
    if (outcome.num_waits == abi::kMaxWaits) return;
    const Thread* holder = HolderOf(thread);
    outcome.waits[outcome.num_waits++] = {
        .thread = thread.tid,
        .holder = holder == nullptr ? Tid::kNone : holder->tid,
        .op = thread.intent.op,
        .in_cycle = InCycle(thread),
        .reserved = 0,
        .site = thread.place.site,
        .site_flags = thread.place.flags,
        .node = thread.slot.node,
        .word = WordOf(thread),
        .object = WantedBy(thread),
    };
  }
}

[[noreturn]] void Stop(Thread& last, abi::Status status, EventKind event,
                       uint64_t value) {
  RecordWaits();
  emitter().Emit(last, event, 0, nullptr, value);
  RecordOutcome(status, &last);
  StopProcess();
}

}  // namespace

void DescribeThreads(Text& text) {
  const char* separator = "";
  for (size_t i = 0; i < gate().num_threads(); ++i) {
    const Thread& thread = gate().thread(i);
    if (thread.state == ThreadState::kEnded) continue;
    text.Put(separator);
    Describe(text, thread);
    separator = "; ";
  }
}

void StopDeadlock(Thread& last) {
  Text text = OutcomeText();
  text.Put("deadlock: ");
  DescribeThreads(text);
  Stop(last, abi::Status::kDeadlock, EventKind::kDeadlock, 0);
}

void StopLivelock(Thread& last) {
  Text text = OutcomeText();
  text.Put("livelock: no thread changes anything any more: ");
  DescribeThreads(text);
  Stop(last, abi::Status::kLivelock, EventKind::kLivelock, 0);
}

void StopDivergence(Thread& last, const abi::Divergence& where) {
  abi::Outcome& outcome = control_page()->outcome;
  outcome.divergence = where;
  outcome.divergence.event = emitter().num_events();
  Text text = OutcomeText();
  text.Put("divergence: choice ").Decimal(where.choice + 1);
  text.Put(" of the schedule cannot be followed: ");
  PutThreadName(text, last);
  text.Put(" came to the gate for the ").Decimal(where.found.count);
  text.Put(". time");
  if (where.choice < control_page()->region(abi::RegionId::kChoicesIn).used) {
    text.Put("; the schedule wants thread ");
    text.Decimal(static_cast<uint64_t>(where.wanted.left));
    text.Put(" to stop at its ").Decimal(where.wanted.count);
    text.Put(". and thread ");
    text.Decimal(static_cast<uint64_t>(where.wanted.next)).Put(" to go on");
    if (where.found.next == Tid::kNone) text.Put(", which is not enabled");
  } else {
    text.Put("; the schedule has ended");
  }
  RecordOutcome(abi::Status::kDivergence, &last);
  StopProcess();
}

void StopInputDivergence(Thread& last) {
  control_page()->outcome.divergence.event = emitter().num_events();
  RecordOutcome(abi::Status::kDivergence, &last);
  StopProcess();
}

void StopCut(Thread& last, abi::CutReason reason) {
  Text text = OutcomeText();
  text.Put("cut: ");
  if (reason == abi::CutReason::kSteps) {
    text.Put("the limit of ").Decimal(control_page()->plan.max_steps);
    text.Put(" steps (--max-steps) was reached");
  } else {
    text.Put("the program has created more than ");
    text.Decimal(abi::kMaxThreads).Put(" threads");
  }
  text.Put(" in ");
  PutThreadName(text, last);
  control_page()->outcome.cut_reason = reason;
  Stop(last, abi::Status::kCut, EventKind::kCut, static_cast<uint64_t>(reason));
}

}  // namespace fairlead::rt
