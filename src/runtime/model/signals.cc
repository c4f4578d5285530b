#include "runtime/model/signals.h"

#include <errno.h>
#include <string.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/intercept/arrivals.h"
#include "runtime/outside/signal_fds.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/text.h"

namespace fairlead::rt {
namespace {

// By number; read from the kernel when first asked for.
Action actions[kNumSignals + 1];
SignalSet known;

PendingSet process_pending;  // nobody could take these yet
PendingSignal* free_signals = nullptr;

// libc keeps these for itself: cancellation and changes of user.
constexpr SignalSet kOfLibc = Only(32) | Only(33);
constexpr SignalSet kUnblockable =
    Only(SIGKILL) | Only(SIGSTOP) | Only(SIGSYS) | kOfLibc;
// Counted, not merged.
constexpr bool IsQueued(int signal) { return signal > 31; }

PendingSignal* NewPending() {
  PendingSignal* made = free_signals;
  if (made == nullptr) return ArenaNew<PendingSignal>();
  free_signals = made->next;
  return made;
}

void Append(PendingSet& set, PendingSignal* signal) {
  signal->next = nullptr;
  PendingSignal** link = &set.first;
  while (*link != nullptr) link = &(*link)->next;
  *link = signal;
  set.bits |= Only(signal->info.si_signo);
}

// Takes the oldest signal of that number out of the set: `only` says which of
// them count.
enum class Sent { kAnyhow, kToThread };
PendingSignal* Extract(PendingSet& set, int number, Sent only = Sent::kAnyhow) {
  PendingSignal** link = &set.first;
  while ((*link)->info.si_signo != number ||
         (only == Sent::kToThread && (*link)->for_process)) {
    link = &(*link)->next;
  }
  PendingSignal* taken = *link;
  *link = taken->next;
  set.bits &= ~Only(number);
  for (PendingSignal* p = set.first; p != nullptr; p = p->next) {
    set.bits |= Only(p->info.si_signo);
  }
  return taken;
}

SignalSet SentToThread(const PendingSet& set) {
  SignalSet sent = 0;
  for (const PendingSignal* p = set.first; p != nullptr; p = p->next) {
    if (!p->for_process) sent |= Only(p->info.si_signo);
  }
  return sent;
}

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

void Queue(PendingSet& set, PendingSignal* signal) {
  const int number = signal->info.si_signo;
  if (!IsQueued(number) && Has(set.bits, number)) {
    signal->next = free_signals;
    free_signals = signal;
    return;
  }
  Append(set, signal);
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
    const int number = p->info.si_signo;
    if (p->for_process && !CouldTake(thread, number)) {
      GiveToProcess(Extract(thread.signals.pending, number));
    }
    p = next;
  }
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
  while (Has(process_pending.bits, signal)) Extract(process_pending, signal);
  for (size_t i = 0; i < gate().num_live(); ++i) {
    PendingSet& pending = gate().live(i).signals.pending;
    while (Has(pending.bits, signal)) Extract(pending, signal);
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
  PendingSignal* signal = NewPending();
  signal->info = info;
  signal->sender = {};
  if (sender != nullptr) signal->sender = emitter().ByNextEvent(*sender);
  signal->for_process = target == nullptr;
  if (target != nullptr) {
    GiveTo(*target, signal);
  } else {
    GiveToProcess(signal);
  }
  PendingChanged();
}

bool TakePending(Thread& thread, SignalSet wanted, PendingSignal* taken) {
  const SignalSet found = PendingFor(thread) & wanted;
  if (found == 0) return false;
  // As the kernel does: what was sent to the thread, then what was sent to the
  // process, of each the lowest number, of those the oldest.
  const SignalSet sent_to_it = SentToThread(thread.signals.pending) & wanted;
  const Sent only = sent_to_it != 0 ? Sent::kToThread : Sent::kAnyhow;
  const int number = __builtin_ctzll(sent_to_it != 0 ? sent_to_it : found) + 1;
  const bool own = Has(thread.signals.pending.bits, number);
  PendingSignal* signal =
      Extract(own ? thread.signals.pending : process_pending, number, only);
  *taken = *signal;
  signal->next = free_signals;
  free_signals = signal;
  if (own) {
    Update(thread);
  } else {
    UpdateAll();
  }
  PendingChanged();
  return true;
}

SignalSet PendingFor(const Thread& thread) {
  return thread.signals.pending.bits | process_pending.bits;
}

SignalName::SignalName(int signal) {
  static constexpr const char* kNames[] = {
      "0",      "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
      "FPE",    "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
      "STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
      "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "IO",   "PWR",  "SYS"};
  Text text(name_, sizeof(name_));
  text.Put("SIG");
  if (signal < 32) {
    text.Put(kNames[signal]);
  } else {
    // As programs count them: libc takes the first two.
    text.Put("RTMIN");
    if (signal > 34) text.Put('+').Decimal(static_cast<uint64_t>(signal - 34));
  }
}

}  // namespace fairlead::rt
