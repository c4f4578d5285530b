#include "runtime/model/pending_set.h"

#include "runtime/sys/arena.h"

namespace fairlead::rt {
namespace {

PendingSignal* free_signals = nullptr;

// Counted, not merged.
constexpr bool IsQueued(int signal) { return signal > 31; }

void CountBits(PendingSet& set) {
  set.bits = 0;
  for (PendingSignal* p = set.first; p != nullptr; p = p->next) {
    set.bits |= Only(p->info.si_signo);
  }
}

}  // namespace

PendingSignal* NewPendingSignal() {
  PendingSignal* made = free_signals;
  if (made == nullptr) return ArenaNew<PendingSignal>();
  free_signals = made->next;
  return made;
}

void FreePendingSignal(PendingSignal* signal) {
  signal->next = free_signals;
  free_signals = signal;
}

void Queue(PendingSet& set, PendingSignal* signal) {
  const int number = signal->info.si_signo;
  if (!IsQueued(number) && Has(set.bits, number)) {
    FreePendingSignal(signal);
    return;
  }
  signal->next = nullptr;
  PendingSignal** link = &set.first;
  while (*link != nullptr) link = &(*link)->next;
  *link = signal;
  set.bits |= Only(number);
}

void Remove(PendingSet& set, const PendingSignal* signal) {
  PendingSignal** link = &set.first;
  while (*link != signal) link = &(*link)->next;
  *link = signal->next;
  CountBits(set);
}

void Forget(PendingSet& set, int number) {
  PendingSignal* p = set.first;
  while (p != nullptr) {
    PendingSignal* next = p->next;
    if (p->info.si_signo == number) {
      Remove(set, p);
      FreePendingSignal(p);
    }
    p = next;
  }
}

bool ComesBefore(const PendingSignal& a, const PendingSignal* b) {
  if (b == nullptr) return true;
  if (a.info.si_signo != b->info.si_signo) {
    return a.info.si_signo < b->info.si_signo;
  }
  return a.order < b->order;
}

PendingSignal* FirstOf(const PendingSet& set, SignalSet wanted,
                       bool for_process) {
  PendingSignal* first = nullptr;
  if ((set.bits & wanted) == 0) return first;
  for (PendingSignal* p = set.first; p != nullptr; p = p->next) {
    if (p->for_process == for_process && Has(wanted, p->info.si_signo) &&
        ComesBefore(*p, first)) {
      first = p;
    }
  }
  return first;
}

void Exchange(PendingSet& a_set, PendingSignal& a, PendingSet& b_set,
              PendingSignal& b) {
  const PendingSignal before = a;
  PendingSignal* const after_a = a.next;
  PendingSignal* const after_b = b.next;
  a = b;
  a.next = after_a;
  b = before;
  b.next = after_b;
  CountBits(a_set);
  CountBits(b_set);
}

}  // namespace fairlead::rt
