#include "runtime/model/signals.h"

#include <errno.h>
#include <string.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/outside.h"
#include "runtime/model/kernel_signals.h"
#include "runtime/model/pending_set.h"
#include "runtime/sys/text.h"

namespace fairlead::rt {
namespace {

// By number; read from the kernel when first asked for.
Action actions[kNumSignals + 1];
SignalSet known;

PendingSet process_pending;  // nobody could take these yet
uint64_t num_sent = 0;

// libc keeps these for itself: cancellation and changes of user.
constexpr SignalSet kOfLibc = Only(32) | Only(33);
constexpr SignalSet kUnblockable =
    Only(SIGKILL) | Only(SIGSTOP) | Only(SIGSYS) | kOfLibc;

void Update(Thread& thread) {
  thread.signals.due = (PendingFor(thread) & ~thread.signals.mask) != 0;
  gate().SignalsChanged(thread);
}

void UpdateAll() {
  for (size_t i = 0; i < gate().num_live(); ++i) Update(gate().live(i));
}

bool IsIgnored(int signal) {
  const Action& action = ActionOf(signal);
  if (action.IsIgnore()) return true;
  return action.IsDefault() && DefaultOf(signal) == DefaultAction::kIgnore;
}

bool Awaits(const Thread& thread, int signal) {
  return Has(thread.signals.awaited, signal);
}

bool CouldTake(const Thread& thread, int signal) {
  return Awaits(thread, signal) || !Has(thread.signals.mask, signal);
}

void GiveTo(Thread& target, PendingSignal* signal) {
  Queue(target.signals.pending, signal);
  Update(target);
}

// To one of those who could take it now; else it waits for somebody.
void GiveToProcess(PendingSignal* signal) {
  const int number = signal->info.si_signo;
  uint32_t able = 0;
  for (size_t i = 0; i < gate().num_live(); ++i) {
    if (CouldTake(gate().live(i), number)) ++able;
  }
  if (able == 0) {
    Queue(process_pending, signal);
    return;
  }
  Thread& asker = *gate().running();
  uint32_t skip = gate().Choose(asker, EventKind::kSignalSent, able);
  for (size_t i = 0;; ++i) {
    Thread& thread = gate().live(i);
    if (CouldTake(thread, number) && skip-- == 0) {
      GiveTo(thread, signal);
      return;
    }
  }
}

// What was sent to the process and has ended up with `thread`, which cannot
// take it any more, goes to others.
void PassOn(Thread& thread) {
  PendingSignal* p = thread.signals.pending.first;
  while (p != nullptr) {
    PendingSignal* next = p->next;
    if (p->for_process && !CouldTake(thread, p->info.si_signo)) {
      Remove(thread.signals.pending, p);
      GiveToProcess(p);
    }
    p = next;
  }
}

struct InSet {
  PendingSet* set;
  PendingSignal* signal;  // null = none
};

// What was sent to the process and is with another thread, but comes before
// `slot`.
struct WithOther {
  Thread* thread;  // null = none
  PendingSignal* signal;
};
WithOther FirstWithOthers(const Thread& self, SignalSet wanted,
                          const PendingSignal& slot) {
  WithOther found = {nullptr, nullptr};
  for (size_t i = 0; i < gate().num_live(); ++i) {
    Thread& other = gate().live(i);
    if (&other == &self) continue;
    PendingSignal* first = FirstOf(other.signals.pending, wanted, true);
    if (first == nullptr || !ComesBefore(*first, &slot)) continue;
    if (ComesBefore(*first, found.signal)) found = {&other, first};
  }
  return found;
}

// The kernel has one queue for the process, from which whoever is faster takes
// what comes first. Here each of its signals is with the thread that was chosen
// to be woken for it; when `thread` takes one, it takes the first one of all,
// and leaves its own in exchange.
InSet FirstForProcess(Thread& thread, SignalSet wanted) {
  InSet found = {&thread.signals.pending,
                 FirstOf(thread.signals.pending, wanted, true)};
  PendingSignal* unclaimed = FirstOf(process_pending, wanted, true);
  if (unclaimed != nullptr && ComesBefore(*unclaimed, found.signal)) {
    found = {&process_pending, unclaimed};
  }
  if (found.signal == nullptr) return found;
  const WithOther other = FirstWithOthers(thread, wanted, *found.signal);
  if (other.thread == nullptr) return found;
  PendingSet& others = other.thread->signals.pending;
  if (!CouldTake(*other.thread, found.signal->info.si_signo)) {
    return {&others, other.signal};
  }
  Exchange(*found.set, *found.signal, others, *other.signal);
  return found;
}

}  // namespace

void PrepareSignals(Thread& main) {
  main.signals.mask = OpenKernelMask() & ~kUnblockable;
  TakeOver(main.signals.mask);
}

const Action& ActionOf(int signal) {
  if (!Has(known, signal)) {
    known |= Only(signal);
    actions[signal] = KernelAction(signal);
  }
  return actions[signal];
}

int SetAction(Thread&, int signal, const Action& action) {
  if (!IsSignal(signal) || signal == SIGKILL || signal == SIGSTOP ||
      Has(kOfLibc, signal)) {
    return EINVAL;
  }
  known |= Only(signal);
  actions[signal] = action;
  actions[signal].mask &= ~(Only(SIGKILL) | Only(SIGSTOP));
  TellKernel(signal, action);
  if (!IsIgnored(signal)) return 0;
  // What was pending is forgotten.
  Forget(process_pending, signal);
  for (size_t i = 0; i < gate().num_live(); ++i) {
    Forget(gate().live(i).signals.pending, signal);
  }
  UpdateAll();
  PendingChanged();
  return 0;
}

void ResetAction(int signal) {
  actions[signal].handler = SIG_DFL;
  TellKernel(signal, actions[signal]);
}

DefaultAction DefaultOf(int signal) {
  switch (signal) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH:
      return DefaultAction::kIgnore;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
      return DefaultAction::kStop;
    default:
      return DefaultAction::kEnd;
  }
}

void SetMask(Thread& thread, SignalSet mask) {
  mask &= ~kUnblockable;
  const SignalSet added = mask & ~thread.signals.mask;
  thread.signals.mask = mask;
  if (added != 0) {
    TakeOver(added);
    PassOn(thread);
  }
  Update(thread);
}

void SwapMask(Thread& thread, SignalSet mask) {
  thread.signals.mask_before = thread.signals.mask;
  thread.signals.swapped = true;
  SetMask(thread, mask);
}

void SwapMaskBack(Thread& thread) {
  if (!thread.signals.swapped) return;  // a handler's end has done it
  thread.signals.swapped = false;
  SetMask(thread, thread.signals.mask_before);
}

void InheritSignals(Thread& made, const Thread& creator,
                    const pthread_attr_t* attr) {
  made.signals.mask = creator.signals.mask;
  sigset_t given;
  if (attr == nullptr || pthread_attr_getsigmask_np(attr, &given) != 0) return;
  memcpy(&made.signals.mask, &given, sizeof(SignalSet));
  made.signals.mask &= ~kUnblockable;
  TakeOver(made.signals.mask);
}

void LeaveSignals(Thread& thread) {
  thread.signals.awaited = 0;
  SetMask(thread, ~SignalSet{0});
  thread.signals.due = false;
}

bool IsLost(const Thread* target, int signal) {
  if (!IsIgnored(signal)) return false;
  if (target != nullptr) {
    return !Awaits(*target, signal) && !Has(target->signals.mask, signal);
  }
  bool open = false;
  for (size_t i = 0; i < gate().num_live(); ++i) {
    const Thread& thread = gate().live(i);
    if (Awaits(thread, signal)) return false;
    open = open || !Has(thread.signals.mask, signal);
  }
  return open;
}

void Send(Thread* sender, Thread* target, const siginfo_t& info) {
  if (IsLost(target, info.si_signo)) return;
  PendingSignal* signal = NewPendingSignal();
  signal->info = info;
  signal->sender = {};
  if (sender != nullptr) signal->sender = emitter().ByNextEvent(*sender);
  signal->for_process = target == nullptr;
  signal->order = ++num_sent;
  if (target != nullptr) {
    GiveTo(*target, signal);
  } else {
    GiveToProcess(signal);
  }
  PendingChanged();
}

bool TakePending(Thread& thread, SignalSet wanted, PendingSignal* taken) {
  // As the kernel does: what was sent to the thread, then what was sent to the
  // process.
  InSet first = {&thread.signals.pending,
                 FirstOf(thread.signals.pending, wanted, false)};
  if (first.signal == nullptr) first = FirstForProcess(thread, wanted);
  if (first.signal == nullptr) return false;
  Remove(*first.set, first.signal);
  *taken = *first.signal;
  FreePendingSignal(first.signal);
  if (taken->for_process) {
    UpdateAll();
  } else {
    Update(thread);
  }
  PendingChanged();
  return true;
}

void StopAwaiting(Thread& thread) {
  thread.signals.awaited = 0;
  PassOn(thread);
}

SignalSet PendingFor(const Thread& thread) {
  return thread.signals.pending.bits | process_pending.bits;
}

}  // namespace fairlead::rt
