// runtime/outside/transfer.h
//
// A call that takes from a descriptor or gives to one: waits until it is ready,
// and is then made in a way that does not wait. What comes from outside is an
// input of the execution (gate/inputs.h).
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_TRANSFER_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_TRANSFER_H_

#include <errno.h>
#include <poll.h>
#include <stdint.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/from_outside.h"
#include "runtime/outside/waiting.h"

namespace fairlead::rt {

// `events`: POLLIN for a call that takes, POLLOUT for one that gives.
inline void EmitUse(Call& call, short events = 0) {
  uint32_t flags = abi::kFlagPoint;
  if (events == POLLIN) flags |= abi::kFlagShared;
  if (events == POLLOUT) flags |= abi::kFlagWrites;
  emitter().Emit(*call.thread, EventKind::kUse, flags, nullptr,
                 static_cast<uint64_t>(call.fd()));
  OutsideChanged();
}

inline uint64_t DeadlineIn(uint64_t ns) {
  return ns == 0 ? kNoDeadline : gate().now_ns() + ns;
}

inline bool WouldWait(long result) { return result == -EAGAIN; }

// The call as the kernel gets it, after its wait or without one.
struct Transfer {
  Call& call;
  Descriptor descriptor;
  short events;         // POLLIN or POLLOUT
  uint64_t timeout_ns;  // 0 = for ever
  bool waits;           // it would, if there is nothing to be had
};

// Waits and asks until there is a result. `ask` must not wait.
template <typename Ask, typename NameOutputs>
long Transact(const Transfer& transfer, Ask ask, NameOutputs name_outputs) {
  Call& call = transfer.call;
  const bool foreign = transfer.descriptor.foreign();
  const uint64_t deadline = DeadlineIn(transfer.timeout_ns);
  if (!transfer.waits) {
    ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
    const long result = FromOutside(call, foreign, ask, name_outputs);
    if (WouldWait(result)) {
      FoundNothing(call, foreign, call.fd());
    } else {
      gate().Progressed(*call.thread);
    }
    EmitUse(call, transfer.events);
    if (result == -EBADF) CheckClosed(*call.thread, call.args[0]);
    return result;
  }
  for (;;) {
    pollfd fd = {.fd = call.fd(), .events = transfer.events, .revents = 0};
    OutsideWait wait = {.fds = &fd, .num_fds = 1, .foreign = foreign};
    const Wake wake = AwaitOutside(call, wait, ObjectOf(fd.fd), deadline);
    if (wake == Wake::kTimedOut) {
      EmitUse(call, transfer.events);
      return -EAGAIN;
    }
    if (wake != Wake::kReady) return EndedEarly(call, wake);
    long result = 0;
    if (foreign && inputs().fed()) {
      const abi::InputRecord* next = inputs().Peek(call.thread->tid);
      if (next != nullptr && next->kind == abi::InputKind::kReadiness) continue;
      result = FromOutside(call, foreign, ask, name_outputs);
    } else {
      result = ask();
      if (WouldWait(result)) continue;
      result = FromOutside(call, foreign, [&] { return result; }, name_outputs);
    }
    gate().Progressed(*call.thread);
    EmitUse(call, transfer.events);
    return result;
  }
}

inline Transfer ReadingFrom(Call& call, bool dont_wait) {
  const Descriptor& descriptor = DescriptorOf(*call.thread, call.args[0]);
  return {call, descriptor, POLLIN, descriptor.receive_ns,
          descriptor.may_wait() && !descriptor.nonblocking && !dont_wait};
}

inline Transfer WritingTo(Call& call, bool dont_wait) {
  const Descriptor& descriptor = DescriptorOf(*call.thread, call.args[0]);
  return {call, descriptor, POLLOUT, descriptor.send_ns,
          descriptor.may_wait() && !descriptor.nonblocking && !dont_wait};
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_TRANSFER_H_
