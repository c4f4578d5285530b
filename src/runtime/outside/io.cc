// runtime/outside/io.cc
//
// Reading and writing: read, readv, write, writev, and the calls of sockets
// that do the same. A call that would wait parks its thread until the
// descriptor is ready and is then made in a way that does not wait.

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/model/random.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/pointers.h"
#include "runtime/outside/signal_fds.h"
#include "runtime/outside/transfer.h"
#include "runtime/outside/waiting.h"

namespace fairlead::rt {
namespace {

// A pipe that says it is ready takes this much without waiting.
constexpr size_t kPipeRoom = PIPE_BUF;
// Flags with which a call on a socket has its result at once.
constexpr int kNeverWaits = MSG_DONTWAIT | MSG_ERRQUEUE | MSG_OOB;

// Which memory a message fills, besides the header itself.
void NameMessage(const msghdr* message, long received, Outputs& outputs) {
  auto left = static_cast<size_t>(received);
  for (size_t i = 0; i < message->msg_iovlen && left != 0; ++i) {
    const iovec& part = message->msg_iov[i];
    const size_t bytes = part.iov_len < left ? part.iov_len : left;
    outputs.Add(part.iov_base, bytes);
    left -= bytes;
  }
}

// read and recv without waiting, where the kernel can: another process may have
// taken what was there.
long ReadNow(const Call& call, const Descriptor& descriptor) {
  constexpr int kNoWait = 8;  // RWF_NOWAIT
  if (descriptor.nonblocking || descriptor.kind != DescriptorKind::kPipe) {
    return AskKernel(call);
  }
  iovec one = {call.pointer<void>(1), static_cast<size_t>(call.args[2])};
  const bool vector = call.number == SYS_readv;
  const long result = sys::Call(SYS_preadv2, call.args[0],
                                vector ? call.args[1] : sys::Arg(&one),
                                vector ? call.args[2] : 1, -1, -1, kNoWait);
  return result == -EOPNOTSUPP ? AskKernel(call) : result;
}

// Calls `tell(fd)` for the descriptors in the control part of `message`.
template <typename Tell>
void ForEachPassed(const msghdr& message, Tell tell) {
  constexpr size_t kHeader = CMSG_ALIGN(sizeof(cmsghdr));
  const auto* control = static_cast<const char*>(message.msg_control);
  size_t left = control == nullptr ? 0 : message.msg_controllen;
  while (left >= kHeader) {
    cmsghdr header;
    memcpy(&header, control, sizeof(header));
    if (header.cmsg_len < kHeader || header.cmsg_len > left) return;
    const bool descriptors =
        header.cmsg_level == SOL_SOCKET && header.cmsg_type == SCM_RIGHTS;
    for (size_t at = kHeader;
         descriptors && at + sizeof(int) <= header.cmsg_len;
         at += sizeof(int)) {
      int fd = -1;
      memcpy(&fd, control + at, sizeof(fd));
      tell(fd);
    }
    const size_t whole = CMSG_ALIGN(header.cmsg_len);
    if (whole >= left) return;
    control += whole;
    left -= whole;
  }
}

// Whoever has the other end of a foreign socket has our descriptors then.
void TellSent(const Transfer& transfer, const msghdr& message) {
  if (transfer.descriptor.foreign()) {
    ShareDescriptors();
    return;
  }
  ForEachPassed(message, [&](int fd) { NoteSent(*transfer.call.thread, fd); });
}

void TellReceived(const Transfer& transfer, const msghdr& message) {
  const bool foreign = transfer.descriptor.foreign();
  ForEachPassed(message, [&](int fd) {
    if (!foreign) {
      NoteReceived(fd);
      return;
    }
    if (inputs().fed()) HoldPlace(fd, false);
    ForgetDescriptor(fd);
  });
}

// A call of sockets on what is none fails at once (ENOTSOCK), or the kernel
// knows better.
bool IsNoSocket(const Transfer& transfer) {
  return transfer.descriptor.kind != DescriptorKind::kSocket;
}

// Until `fd`, which does not wait by itself, takes something; false when that
// will never be.
bool AwaitRoom(int fd) {
  pollfd one = {.fd = fd, .events = POLLOUT, .revents = 0};
  const long result = sys::Call(SYS_poll, sys::Arg(&one), 1, -1);
  return result == -EINTR || (result == 1 && (one.revents & POLLOUT) != 0);
}

// While one of these lives, writing to a pipe that nobody reads is an error and
// nothing else: the program has had, or will have, the signal of the schedule.
class WithoutSigpipe {
 public:
  WithoutSigpipe() { Mask(SIG_BLOCK, kSigpipe, &before_); }
  ~WithoutSigpipe() {
    constexpr timespec kAtOnce = {};
    if ((before_ & kSigpipe) == 0) {
      sys::Call(SYS_rt_sigtimedwait, sys::Arg(&kSigpipe), 0, sys::Arg(&kAtOnce),
                sizeof(kSigpipe));
    }
    Mask(SIG_SETMASK, before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  static constexpr uint64_t kSigpipe = uint64_t{1} << (SIGPIPE - 1);
  static void Mask(int how, uint64_t set, uint64_t* before) {
    sys::Call(SYS_rt_sigprocmask, how, sys::Arg(&set), sys::Arg(before),
              sizeof(set));
  }
  uint64_t before_ = 0;
};

// Feeding a write: the bytes still go where the program sent them, so that its
// output is seen again; a peer that is not there does not matter, one that is
// slower than it was does.
void WriteAgain(const Transfer& transfer, const char* bytes, long size) {
  const DescriptorKind kind = transfer.descriptor.kind;
  if (kind != DescriptorKind::kPipe && kind != DescriptorKind::kTerminal) {
    return;
  }
  const WithoutSigpipe quietly;
  while (size > 0) {
    const long done =
        sys::Write(transfer.call.fd(), bytes, static_cast<size_t>(size));
    if (done == -EINTR) continue;
    if (done == -EAGAIN && AwaitRoom(transfer.call.fd())) continue;
    if (done <= 0) return;
    bytes += done;
    size -= done;
  }
}

// Writes [bytes, bytes + size), as one call of the program would.
long WriteAll(const Transfer& transfer, const char* bytes, size_t size,
              int flags) {
  size_t done = 0;
  do {
    const bool socket = transfer.descriptor.kind == DescriptorKind::kSocket;
    const bool pipe = transfer.descriptor.kind == DescriptorKind::kPipe;
    size_t part = size - done;
    if (transfer.waits && pipe && part > kPipeRoom) part = kPipeRoom;
    const bool fed = transfer.descriptor.foreign() && inputs().fed();
    const long result = Transact(
        transfer,
        [&] {
          if (!socket)
            return sys::Write(transfer.call.fd(), bytes + done, part);
          return sys::Call(SYS_sendto, transfer.call.fd(),
                           sys::Arg(bytes + done), static_cast<long>(part),
                           flags | (transfer.waits ? MSG_DONTWAIT : 0), 0, 0);
        },
        [](long, Outputs&) {});
    if (fed && result > 0) WriteAgain(transfer, bytes + done, result);
    if (result < 0) return done != 0 ? static_cast<long>(done) : result;
    done += static_cast<size_t>(result);
    if (result == 0 || !transfer.waits) break;
  } while (done < size);
  return static_cast<long>(done);
}

}  // namespace

long DoRead(Call& call) {
  const Transfer transfer = ReadingFrom(call, false);
  if (transfer.descriptor.kind == DescriptorKind::kRandom) {
    ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
    if (!IsThere(call.pointer<void>(1), static_cast<size_t>(call.args[2]))) {
      return -EFAULT;
    }
    DrawRandom(call.pointer<void>(1), static_cast<size_t>(call.args[2]));
    EmitUse(call);
    return call.args[2];
  }
  if (transfer.descriptor.kind == DescriptorKind::kSignal) {
    return ReadSignals(call, transfer.waits);
  }
  return Transact(
      transfer, [&] { return ReadNow(call, transfer.descriptor); },
      [&](long result, Outputs& outputs) {
        if (result > 0) {
          outputs.Add(call.pointer<void>(1), static_cast<size_t>(result));
        }
      });
}

long DoReadv(Call& call) {
  const Transfer transfer = ReadingFrom(call, false);
  return Transact(
      transfer, [&] { return ReadNow(call, transfer.descriptor); },
      [&](long result, Outputs& outputs) {
        msghdr message = {};
        message.msg_iov = call.pointer<iovec>(1);
        message.msg_iovlen = static_cast<size_t>(call.args[2]);
        if (result > 0) NameMessage(&message, result, outputs);
      });
}

long DoWrite(Call& call) {
  const Transfer transfer = WritingTo(call, false);
  return WriteAll(transfer, call.pointer<const char>(1),
                  static_cast<size_t>(call.args[2]), 0);
}

long DoWritev(Call& call) {
  const Transfer transfer = WritingTo(call, false);
  const auto* parts = call.pointer<const iovec>(1);
  const bool fed = transfer.descriptor.foreign() && inputs().fed();
  // What fits a pipe at once, and what does not wait, goes as it is.
  size_t total = 0;
  for (long i = 0; i < call.args[2]; ++i) total += parts[i].iov_len;
  const bool pipe = transfer.descriptor.kind == DescriptorKind::kPipe;
  if (!transfer.waits || (pipe && total <= kPipeRoom) ||
      transfer.descriptor.kind == DescriptorKind::kTerminal) {
    const long result = Transact(
        transfer, [&] { return AskKernel(call); }, [](long, Outputs&) {});
    for (long i = 0, left = result; fed && left > 0; ++i) {
      const long part = static_cast<long>(parts[i].iov_len);
      WriteAgain(transfer, static_cast<const char*>(parts[i].iov_base),
                 part < left ? part : left);
      left -= part;
    }
    return result;
  }
  long done = 0;
  for (long i = 0; i < call.args[2]; ++i) {
    if (parts[i].iov_len == 0) continue;
    const long result =
        WriteAll(transfer, static_cast<const char*>(parts[i].iov_base),
                 parts[i].iov_len, 0);
    if (result < 0) return done != 0 ? done : result;
    done += result;
    if (static_cast<size_t>(result) < parts[i].iov_len) break;
  }
  return done;
}

long DoRecvfrom(Call& call) {
  const auto flags = static_cast<int>(call.args[3]);
  const Transfer transfer = ReadingFrom(call, (flags & kNeverWaits) != 0);
  if (IsNoSocket(transfer)) return AskKernel(call);
  const auto* length = call.pointer<const socklen_t>(5);
  const size_t room = length == nullptr ? 0 : *length;
  const bool all = transfer.waits && (flags & MSG_WAITALL) != 0;
  long done = 0;
  // MSG_WAITALL is several receptions.
  do {
    char* to = call.pointer<char>(1) + done;
    const long left = call.args[2] - done;
    const long result = Transact(
        transfer,
        [&] {
          return sys::Call(
              SYS_recvfrom, call.args[0], sys::Arg(to), left,
              (flags & ~MSG_WAITALL) | (transfer.waits ? MSG_DONTWAIT : 0),
              call.args[4], call.args[5]);
        },
        [&](long got, Outputs& outputs) {
          if (got < 0) return;
          if (call.args[4] != 0) {
            outputs.Add(call.pointer<void>(5), sizeof(socklen_t));
            outputs.Add(call.pointer<void>(4), room);
          }
          outputs.Add(to, static_cast<size_t>(got < left ? got : left));
        });
    if (result < 0) return done != 0 ? done : result;
    done += result;
    if (result == 0) break;
  } while (all && done < call.args[2]);
  return done;
}

long DoRecvmsg(Call& call) {
  const auto flags = static_cast<int>(call.args[2]);
  const Transfer transfer = ReadingFrom(call, (flags & kNeverWaits) != 0);
  if (IsNoSocket(transfer)) return AskKernel(call);
  auto* message = call.pointer<msghdr>(1);
  const msghdr asked = *message;
  const long result = Transact(
      transfer,
      [&] {
        return sys::Call(SYS_recvmsg, call.args[0], call.args[1],
                         flags | (transfer.waits ? MSG_DONTWAIT : 0));
      },
      [&](long result, Outputs& outputs) {
        if (result < 0) return;
        outputs.Add(&message->msg_namelen, sizeof(message->msg_namelen));
        outputs.Add(&message->msg_controllen, sizeof(message->msg_controllen));
        outputs.Add(&message->msg_flags, sizeof(message->msg_flags));
        outputs.Add(asked.msg_name, asked.msg_namelen);
        outputs.Add(asked.msg_control, asked.msg_controllen);
        NameMessage(&asked, result, outputs);
      });
  if (result >= 0 && asked.msg_controllen != 0 && (flags & MSG_PEEK) == 0) {
    TellReceived(transfer, *message);
  }
  return result;
}

long DoSendto(Call& call) {
  const auto flags = static_cast<int>(call.args[3]);
  const Transfer transfer = WritingTo(call, (flags & kNeverWaits) != 0);
  if (IsNoSocket(transfer)) return AskKernel(call);
  if (call.args[4] == 0) {
    return WriteAll(transfer, call.pointer<const char>(1),
                    static_cast<size_t>(call.args[2]), flags);
  }
  return Transact(
      transfer,
      [&] {
        return sys::Call(SYS_sendto, call.args[0], call.args[1], call.args[2],
                         flags | (transfer.waits ? MSG_DONTWAIT : 0),
                         call.args[4], call.args[5]);
      },
      [](long, Outputs&) {});
}

long DoSendmsg(Call& call) {
  const auto flags = static_cast<int>(call.args[2]);
  const Transfer transfer = WritingTo(call, (flags & kNeverWaits) != 0);
  if (IsNoSocket(transfer)) return AskKernel(call);
  msghdr message = *call.pointer<const msghdr>(1);
  if (message.msg_iovlen > IOV_MAX) return -EMSGSIZE;
  if (!IsThere(message.msg_iov, message.msg_iovlen * sizeof(iovec)) ||
      !IsThere(message.msg_control, message.msg_controllen)) {
    return -EFAULT;
  }
  if (message.msg_controllen != 0) TellSent(transfer, message);
  iovec parts[Outputs::kMost];
  size_t left = 0;
  for (size_t i = 0; i < message.msg_iovlen; ++i) {
    left += message.msg_iov[i].iov_len;
  }
  long done = 0;
  for (;;) {
    const long result = Transact(
        transfer,
        [&] {
          return sys::Call(SYS_sendmsg, call.args[0], sys::Arg(&message),
                           flags | (transfer.waits ? MSG_DONTWAIT : 0));
        },
        [](long, Outputs&) {});
    if (result < 0) return done != 0 ? done : result;
    done += result;
    left -= static_cast<size_t>(result);
    if (left == 0 || result == 0 || !transfer.waits ||
        message.msg_iovlen > Outputs::kMost) {
      return done;
    }
    // A stream took a part of it; the rest follows.
    memmove(parts, message.msg_iov, message.msg_iovlen * sizeof(iovec));
    message.msg_iov = parts;
    message.msg_control = nullptr;
    message.msg_controllen = 0;
    for (size_t taken = static_cast<size_t>(result); taken != 0;) {
      iovec& first = *message.msg_iov;
      const size_t part = taken < first.iov_len ? taken : first.iov_len;
      first.iov_base = static_cast<char*>(first.iov_base) + part;
      first.iov_len -= part;
      taken -= part;
      if (first.iov_len == 0) {
        ++message.msg_iov;
        --message.msg_iovlen;
      }
    }
  }
}

}  // namespace fairlead::rt
