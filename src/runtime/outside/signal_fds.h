// runtime/outside/signal_fds.h
//
// signalfd: a descriptor from which pending signals are read. Signals are
// pending in our model (model/signals.h), not in the kernel, so such a
// descriptor is an eventfd of ours, which can be read from as long as one of
// its signals is pending: poll, select and epoll need to know nothing of it.
//
// Unsound: for poll and its relatives, a signal that is pending for one thread
// is there for all.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_SIGNAL_FDS_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_SIGNAL_FDS_H_

#include "runtime/gate/outside.h"
#include "runtime/outside/call.h"
#include "runtime/thread/signals.h"

namespace fairlead::rt {

// read() on such a descriptor, which `waits` or not.
long ReadSignals(Call& call, bool waits);

// The descriptor has been closed, or copied.
void ForgetSignalFd(int fd);
void CopySignalFd(int from, int to);

// The signals that `fd` is for, or those of the ones in it if it is an epoll.
SignalSet SignalsOf(int fd);

// In a child of fork, whose signals are the kernel's.
void HandSignalFdsToKernel();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_SIGNAL_FDS_H_
