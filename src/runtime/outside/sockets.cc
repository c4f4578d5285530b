// runtime/outside/sockets.cc
//
// Sockets: how they come about, connect, accept, and are asked about. Reading
// and writing is in outside/io.cc.
//
// An execution that follows a schedule gets everything about foreign sockets
// from there. A connection that was accepted is an eventfd then, so that it has
// its number and can be closed.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/model/shared.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/from_outside.h"
#include "runtime/outside/waiting.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

void Tell(Call& call, EventKind kind, long fd) {
  emitter().Emit(*call.thread, kind, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(fd));
  OutsideChanged();
}

long Accept(Call& call, int flags) {
  const Descriptor listener = DescriptorOf(*call.thread, call.args[0]);
  if (listener.kind != DescriptorKind::kSocket) {
    return sys::Call(SYS_accept4, call.args[0], call.args[1], call.args[2],
                     flags);  // which it refuses
  }
  const auto* length = call.pointer<const socklen_t>(2);
  const size_t room =
      call.args[1] == 0 || length == nullptr ? 0 : size_t{*length};
  const bool foreign = listener.foreign();
  for (;;) {
    if (listener.may_wait() && !listener.nonblocking) {
      pollfd fd = {.fd = call.fd(), .events = POLLIN, .revents = 0};
      OutsideWait wait = {.fds = &fd, .num_fds = 1, .foreign = foreign};
      const uint64_t deadline = listener.receive_ns == 0
                                    ? kNoDeadline
                                    : gate().now_ns() + listener.receive_ns;
      const Wake wake = AwaitOutside(call, wait, ObjectOf(fd.fd), deadline);
      if (wake == Wake::kTimedOut) return -EAGAIN;
      if (wake != Wake::kReady) return EndedEarly(call, wake);
    } else {
      ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
    }
    const bool fed = foreign && inputs().fed();
    const long result = FromOutside(
        call, foreign,
        [&] {
          return sys::Call(SYS_accept4, call.args[0], call.args[1],
                           call.args[2], flags);
        },
        [&](long made, Outputs& outputs) {
          if (made < 0 || room == 0) return;
          outputs.Add(call.pointer<void>(2), sizeof(socklen_t));
          outputs.Add(call.pointer<void>(1), room);
        });
    if (result < 0) {
      if (result == -EAGAIN) FoundNothing(call, foreign, call.fd());
      return result;
    }
    if (fed) HoldPlace(result, (flags & SOCK_NONBLOCK) != 0);
    SetDescriptor(result, {.kind = DescriptorKind::kSocket,
                           .domestic = false,
                           .nonblocking = (flags & SOCK_NONBLOCK) != 0,
                           .receive_ns = 0,
                           .send_ns = 0});
    gate().Progressed(*call.thread);
    Tell(call, EventKind::kOpen, result);
    return result;
  }
}

long ErrorOf(long fd) {
  int error = 0;
  socklen_t bytes = sizeof(error);
  sys::Call(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, sys::Arg(&error),
            sys::Arg(&bytes));
  return -error;
}

// connect, begun without waiting whatever the socket's own flag says.
long BeginConnect(const Call& call) {
  const long flags = sys::Call(SYS_fcntl, call.args[0], F_GETFL);
  sys::Call(SYS_fcntl, call.args[0], F_SETFL, flags | O_NONBLOCK);
  const long result = AskKernel(call);
  sys::Call(SYS_fcntl, call.args[0], F_SETFL, flags);
  return result;
}

uint64_t DurationOf(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * kSecond +
         static_cast<uint64_t>(time.tv_usec) * 1000;
}

}  // namespace

long DoAccept(Call& call) { return Accept(call, 0); }
long DoAccept4(Call& call) {
  return Accept(call, static_cast<int>(call.args[3]));
}

long DoConnect(Call& call) {
  const Descriptor descriptor = DescriptorOf(*call.thread, call.args[0]);
  const bool foreign = descriptor.foreign();
  const bool waits = descriptor.may_wait() && !descriptor.nonblocking;
  for (uint32_t attempts = 1;; ++attempts) {
    ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
    const long result = FromOutside(call, foreign, [&] {
      return waits ? BeginConnect(call) : AskKernel(call);
    });
    gate().Progressed(*call.thread);
    Tell(call, EventKind::kUse, call.fd());
    if (waits && result == -EAGAIN) {  // a local socket whose queue is full
      if (!inputs().fed()) LetOthersRun(*call.thread, attempts);
      continue;
    }
    if (!waits || result != -EINPROGRESS) return result;
    break;
  }
  pollfd fd = {.fd = call.fd(), .events = POLLOUT, .revents = 0};
  OutsideWait wait = {.fds = &fd, .num_fds = 1, .foreign = foreign};
  const uint64_t deadline = descriptor.send_ns == 0
                                ? kNoDeadline
                                : gate().now_ns() + descriptor.send_ns;
  const Wake wake = AwaitOutside(call, wait, ObjectOf(fd.fd), deadline);
  if (wake == Wake::kTimedOut) return -EINPROGRESS;
  if (wake != Wake::kReady) return EndedEarly(call, wake);
  return FromOutside(call, foreign, [&] { return ErrorOf(call.args[0]); });
}

long DoSocket(Call& call) {
  ArriveOutside(call, EventKind::kOpen, nullptr);
  const long result = AskKernel(call);
  if (result < 0) return result;
  SetDescriptor(result, {.kind = DescriptorKind::kSocket,
                         .domestic = false,
                         .nonblocking = (call.args[1] & SOCK_NONBLOCK) != 0,
                         .receive_ns = 0,
                         .send_ns = 0});
  Tell(call, EventKind::kOpen, result);
  return result;
}

// Calls that only tell or change something about a socket.
long DoAboutSocket(Call& call) {
  const Descriptor descriptor = DescriptorOf(*call.thread, call.args[0]);
  ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
  const long result =
      FromOutside(call, descriptor.foreign(), [&] { return AskKernel(call); });
  Tell(call, EventKind::kUse, call.fd());
  return result;
}

long DoListen(Call& call) {
  const long result = DoAboutSocket(call);
  if (result == 0) TellReady();
  return result;
}

long DoSetsockopt(Call& call) {
  const long result = DoAboutSocket(call);
  const bool time = call.args[1] == SOL_SOCKET &&
                    static_cast<size_t>(call.args[4]) >= sizeof(timeval);
  if (result != 0 || !time) return result;
  Descriptor& descriptor = DescriptorOf(*call.thread, call.args[0]);
  if (call.args[2] == SO_RCVTIMEO) {
    descriptor.receive_ns = DurationOf(*call.pointer<const timeval>(3));
  } else if (call.args[2] == SO_SNDTIMEO) {
    descriptor.send_ns = DurationOf(*call.pointer<const timeval>(3));
  }
  return result;
}

// getsockname and getpeername fill args[1], getsockopt args[3].
long DoAskSocket(Call& call) {
  const Descriptor descriptor = DescriptorOf(*call.thread, call.args[0]);
  const int at = call.number == SYS_getsockopt ? 3 : 1;
  const auto* length = call.pointer<const socklen_t>(at + 1);
  const size_t room = length == nullptr ? 0 : *length;
  return FromOutside(
      call, descriptor.foreign(), [&] { return AskKernel(call); },
      [&](long result, Outputs& outputs) {
        if (result != 0) return;
        outputs.Add(call.pointer<void>(at + 1), sizeof(socklen_t));
        outputs.Add(call.pointer<void>(at), room);
      });
}

long DoSocketpair(Call& call) {
  ArriveOutside(call, EventKind::kOpen, nullptr);
  const long result = AskKernel(call);
  if (result != 0) return result;
  for (int i = 0; i < 2; ++i) {
    const long fd = call.pointer<const int>(3)[i];
    SetDescriptor(fd, {.kind = DescriptorKind::kSocket,
                       .domestic = true,
                       .nonblocking = (call.args[1] & SOCK_NONBLOCK) != 0,
                       .receive_ns = 0,
                       .send_ns = 0});
    Tell(call, EventKind::kOpen, fd);
  }
  return result;
}

// Several messages are several calls.
long DoSendmmsg(Call& call) {
  auto* messages = call.pointer<mmsghdr>(1);
  long sent = 0;
  for (; sent < call.args[2]; ++sent) {
    Call one = call;
    one.number = SYS_sendmsg;
    one.args[1] = sys::Arg(&messages[sent].msg_hdr);
    one.args[2] = call.args[3];
    const long result = DoSendmsg(one);
    if (result < 0) return sent != 0 ? sent : result;
    messages[sent].msg_len = static_cast<unsigned>(result);
  }
  return sent;
}

long DoRecvmmsg(Call& call) {
  auto* messages = call.pointer<mmsghdr>(1);
  long received = 0;
  for (; received < call.args[2]; ++received) {
    Call one = call;
    one.number = SYS_recvmsg;
    one.args[1] = sys::Arg(&messages[received].msg_hdr);
    one.args[2] = call.args[3] & ~long{MSG_WAITFORONE};
    const bool first_only = (call.args[3] & MSG_WAITFORONE) != 0;
    if (received != 0 && first_only) one.args[2] |= MSG_DONTWAIT;
    const long result = DoRecvmsg(one);
    if (result < 0) return received != 0 ? received : result;
    messages[received].msg_len = static_cast<unsigned>(result);
  }
  return received;
}

}  // namespace fairlead::rt
