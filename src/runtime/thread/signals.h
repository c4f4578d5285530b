// runtime/thread/signals.h
//
// What a thread needs to be sent signals: its mask, what is pending for it, its
// alternate stack, and the operations that handlers have interrupted. The
// kernel's own mask stays open at all times, and the only handlers that the
// kernel knows are ours (outside/arrivals.h); so a signal means the same on
// every carrier. model/signals.h has the rules.
//
// Tier: in-program. Threads: as thread/thread.h.

#ifndef FAIRLEAD_RUNTIME_THREAD_SIGNALS_H_
#define FAIRLEAD_RUNTIME_THREAD_SIGNALS_H_

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/thread/cause.h"

namespace fairlead::rt {

struct Thread;
struct Interrupted;  // thread/thread.h

// One bit for each signal: number n is bit n - 1, as the kernel has it.
using SignalSet = uint64_t;
constexpr SignalSet Only(int signal) { return SignalSet{1} << (signal - 1); }
constexpr bool Has(SignalSet set, int signal) {
  return (set & Only(signal)) != 0;
}

inline constexpr int kNumSignals = 64;  // numbered from 1

// A signal on its way.
struct PendingSignal {
  siginfo_t info;
  Cause sender;      // nobody = it came from outside
  bool for_process;  // any thread might have got it
  uint64_t order;    // of sending
  PendingSignal* next;
};

struct PendingSet {
  SignalSet bits;        // what `first` and its followers hold
  PendingSignal* first;  // the oldest
};

struct ThreadSignals {
  SignalSet mask;
  PendingSet pending;
  // Whether something is pending, for the thread or the process, that the mask
  // lets through; kept up to date by model/signals.cc.
  bool due;
  // In a call that swaps the mask for the time of a wait (sigsuspend, ppoll):
  // `mask_before` is to come back. Handlers run before that.
  bool swapped;
  SignalSet mask_before;
  SignalSet awaited;         // by sigwait and the like; 0 = in none
  Interrupted* interrupted;  // by handlers that run now; the innermost
  stack_t stack;             // alternate; ss_size 0 = none
  // System calls that it has made since it last came to the gate.
  uint32_t calls;
  uint32_t calls_count;  // Thread::count, for which `calls` is
};

// Which waits a handler ends. A handler that runs before a wait begins does not
// end it.
enum class Interruption : uint8_t {
  kNever,          // the wait goes on behind the handler
  kUnlessRestart,  // ends it when the handler was installed without SA_RESTART
  kAlways,
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_THREAD_SIGNALS_H_
