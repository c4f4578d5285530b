// runtime/model/signal_waits.h
//
// Sending signals from inside the program, and waiting for them: kill,
// pthread_kill, raise; sigwait, sigtimedwait, pause, sigsuspend. The functions
// take and return what the system calls of the same purpose do; errors are
// positive.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_SIGNAL_WAITS_H_
#define FAIRLEAD_RUNTIME_MODEL_SIGNAL_WAITS_H_

#include <signal.h>
#include <stdint.h>

#include "runtime/gate/deliver.h"
#include "runtime/thread/signals.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// A siginfo_t as the kernel makes it for a process that sends to itself.
siginfo_t OwnInfo(int signal, int code);

// A point; then sends to `target`, or to the process when it is null. What that
// makes due for the caller is delivered before this comes back. Signal 0 only
// looks.
int SendSignal(Thread& thread, Thread* target, const siginfo_t& info,
               const Place& place);

// Changes the caller's mask as sigprocmask does; null changes nothing.
int ChangeMask(Thread& thread, int how, const SignalSet* set, SignalSet* old);

// Waits for one of `set`; removes it from what is pending. `info` may be null.
// 0, EAGAIN when the deadline has passed, EINTR.
int WaitForSignal(Thread& thread, SignalSet set, siginfo_t* info,
                  uint64_t deadline_ns, Interruption interruption,
                  const Place& place);

// Until a handler has run: pause, and sigsuspend with a mask. Always EINTR.
int Pause(Thread& thread, const SignalSet* mask, const Place& place);

// The thread behind a number that gettid answers; null = none.
Thread* FindByNumber(int number);

// Whether waiting for them is no deadlock: one of them is of the kind that
// people and terminals send, or the program has children, who may send any.
bool MayComeFromOutside(SignalSet set);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_SIGNAL_WAITS_H_
