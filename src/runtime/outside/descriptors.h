// runtime/outside/descriptors.h
//
// What the program's descriptors are: files, whose use never waits, or pipes,
// sockets and the like; domestic or foreign (outside/waiting.h); whether calls
// on them wait. Kept up to date by the calls that make, change and close them,
// so that an execution that follows a schedule knows without asking the kernel,
// which has something else in their place.
//
// Descriptors that the process was born with are asked about when they are
// first used, and what they are is an input.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_DESCRIPTORS_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_DESCRIPTORS_H_

#include <stdint.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

enum class DescriptorKind : uint8_t {
  kUnknown,   // not looked at yet
  kNone,      // not open
  kFile,      // regular files, directories, /dev/null: never wait
  kRandom,    // /dev/random, /dev/urandom: read from model/random.h
  kPipe,      // and FIFOs
  kSocket,    // every family
  kTerminal,  // and other devices
  kEvent,     // eventfd, and timerfd, which is made of one
  kEpoll,
  kOther,   // inotify, pidfd, ...
  kSignal,  // signalfd, made of an eventfd (outside/signal_fds.h)
};

struct Descriptor {
  DescriptorKind kind;
  bool domestic;
  bool nonblocking;
  // Of a socket: how long a call waits; 0 = for ever.
  uint64_t receive_ns;
  uint64_t send_ns;

  // Whether results of calls on it are inputs.
  bool foreign() const {
    return !domestic && kind != DescriptorKind::kFile &&
           kind != DescriptorKind::kRandom && kind != DescriptorKind::kNone;
  }
  bool may_wait() const {
    return kind != DescriptorKind::kFile && kind != DescriptorKind::kRandom &&
           kind != DescriptorKind::kNone;
  }
};

// What `fd` is; valid until the next call of this file.
Descriptor& DescriptorOf(const Thread& thread, long fd);

// `fd` is new and is as told, or as the kernel tells.
void SetDescriptor(long fd, const Descriptor& descriptor);
void LookAtNewDescriptor(long fd);
void ForgetDescriptor(long fd);

// The program has closed it. With kPlanClosedUse a use that finds it so is a
// misuse: to be called for one that failed.
void NoteClosed(long fd);
void CheckClosed(Thread& thread, long fd);
void ForgetDescriptors(long first, long last);
void CopyDescriptor(long from, long to);

// Somebody else may have all descriptors now: a child of fork, or whoever a
// message with descriptors went to.
void ShareDescriptors();
// Whether that ever happened.
bool HasShared();

// `fd` goes into a message between threads of this process, and comes out of
// one as `fd`: what it is goes along. One that was not noticed to go is asked
// about when it is first used, as one that the process was born with.
void NoteSent(const Thread& thread, long fd);
void NoteReceived(long fd);

// Puts something at the number that the schedule has for a descriptor which
// only an execution that is not fed can have.
void HoldPlace(long fd, bool nonblocking);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_DESCRIPTORS_H_
