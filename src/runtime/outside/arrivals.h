// runtime/outside/arrivals.h
//
// The kernel's side of signals. Its mask stays open, and it knows our handler
// in place of the program's: that one queues what comes, and the next thread
// that comes to the gate takes it from there (TakeArrivals, gate/deliver.h).
// What came from outside is an input of the schedule, with the point at which
// it was taken; when a schedule is followed, the signals in it come again at
// their points, and those that really arrive meanwhile are dropped.
//
// A signal that the program neither handles nor blocks is left to the kernel.
//
// Unsound: a signal that arrives while the program computes without coming to
// the gate waits until it does.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_ARRIVALS_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_ARRIVALS_H_

#include <signal.h>

#include "runtime/model/kernel_signals.h"
#include "runtime/model/signals.h"
#include "runtime/thread/signals.h"

namespace fairlead::rt {

// The last real-time signal: libc gives it to nobody, programs count from the
// other end. Our time limit, and a nudge for a thread in a RealWait; what the
// program sends itself is told from these.
inline constexpr int kOwnSignal = 64;

// Installs `handler` for good, past libc: on our stack, with all others
// blocked.
void InstallOwn(int signal, void (*handler)(int, siginfo_t*, void*));
// Gives a signal back to its default action.
void InstallDefault(int signal);

// In a child of fork, which has the thread `self` only: the kernel takes over
// mask, dispositions and alternate stack.
void HandToKernel(const Thread& self);
// The same for the mask alone, ahead of execve; and the reverse.
void ShowMask(const Thread& self);
void HideMask();

// Queues what a handler of the kernel's was called with. Async-signal-safe.
void Arrived(int signal, siginfo_t* info, void* machine);

// Around a wait in the kernel that the arrival of a signal is to end, whichever
// kernel thread it comes to. Signals come only while the kernel's mask is
// `mask()`, so none falls between the question and the wait.
class RealWait {
 public:
  RealWait();
  ~RealWait();
  RealWait(const RealWait&) = delete;
  RealWait& operator=(const RealWait&) = delete;

  // Something is there already: do not wait.
  bool has_arrived() const;
  const SignalSet& mask() const { return mask_; }

 private:
  SignalSet mask_ = 0;
};

// Reads the signals of the schedule that is to be followed.
void PrepareArrivals();

// Whether signals from outside have come that no thread has taken.
bool HasArrivals();

// `thread` is about to leave a system call: whatever was sent to it before is
// delivered by then, if the plan says so (abi::kPlanSignalsAtCalls).
void SettleSignals(Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_ARRIVALS_H_
