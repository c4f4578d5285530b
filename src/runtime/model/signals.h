// runtime/model/signals.h
//
// Signals between the threads of the program, and to it: dispositions, masks,
// pending sets, and who gets what. docs/design/signals.md tells the model.
//
// A signal that is sent to the process goes to one of the threads that could
// take it, by choice; if there is none, it stays pending for the process until
// one unblocks it or waits for it. A signal that is blocked by a thread is
// never ignored, since its disposition may change.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_SIGNALS_H_
#define FAIRLEAD_RUNTIME_MODEL_SIGNALS_H_

#include <signal.h>
#include <stdint.h>

#include "runtime/thread/signals.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// What the program wants done when a signal comes; as the kernel lays it out.
struct Action {
  union {
    void (*handler)(int);
    void (*informed)(int, siginfo_t*, void*);  // with SA_SIGINFO
  };
  uint64_t flags;
  void (*restorer)();
  SignalSet mask;

  bool IsDefault() const { return handler == SIG_DFL; }
  bool IsIgnore() const { return handler == SIG_IGN; }
  bool HasHandler() const { return !IsDefault() && !IsIgnore(); }
};
static_assert(sizeof(Action) == 32);

// Main begins with what the process was started with.
void PrepareSignals(Thread& main);

constexpr bool IsSignal(int signal) {
  return signal >= 1 && signal <= kNumSignals;
}

// What the program has asked for. The reference may be written to by
// SetAction alone.
const Action& ActionOf(int signal);
// 0, or EINVAL when the program may not have it.
int SetAction(Thread& thread, int signal, const Action& action);
// Behind a handler that was to run once only.
void ResetAction(int signal);

// The default of a signal that the program does not handle.
enum class DefaultAction : uint8_t { kEnd, kIgnore, kStop };
DefaultAction DefaultOf(int signal);

// Changes the mask of the calling thread. Signals that this lets through are
// due: the caller delivers them before the call ends (DeliverNow).
void SetMask(Thread& thread, SignalSet mask);

// A mask for the time of one wait, which a handler ends (sigsuspend, ppoll).
void SwapMask(Thread& thread, SignalSet mask);
void SwapMaskBack(Thread& thread);

// What a thread inherits from its creator, unless `attr`, which may be null,
// has a mask for it.
void InheritSignals(Thread& made, const Thread& creator,
                    const pthread_attr_t* attr);
// `thread` ends: what was pending for the process through it goes to others.
void LeaveSignals(Thread& thread);

// Whether nobody will ever notice a signal to `target`, or to the process if it
// is null: it is ignored, and not blocked.
bool IsLost(const Thread* target, int signal);

// Sends `info` to `target`, or to the process if it is null. `sender` is null
// when it comes from outside.
void Send(Thread* sender, Thread* target, const siginfo_t& info);

// The next signal of `wanted` that is pending for `thread` or the process, the
// lowest number first; removed from there. False: none.
bool TakePending(Thread& thread, SignalSet wanted, PendingSignal* taken);
// `thread` is out of a wait for signals: what it had been given for that, and
// has not taken, goes to others.
void StopAwaiting(Thread& thread);
// What is pending for `thread` and the process.
SignalSet PendingFor(const Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_SIGNALS_H_
