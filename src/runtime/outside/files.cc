// runtime/outside/files.cc
//
// How descriptors come, are copied, change and go. Files are opened and asked
// again when a schedule is followed; a file that differs then is a divergence,
// if the program does something else because of it.

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/model/pids.h"
#include "runtime/model/shared.h"
#include "runtime/model/timers.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/fifos.h"
#include "runtime/outside/from_outside.h"
#include "runtime/outside/registrations.h"
#include "runtime/outside/signal_fds.h"
#include "runtime/outside/waiting.h"
#include "runtime/sys/look.h"

namespace fairlead::rt {
namespace {

void Tell(Call& call, EventKind kind, long fd) {
  emitter().Emit(*call.thread, kind, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(fd));
  OutsideChanged();
}

long MakeDomestic(Call& call, DescriptorKind kind, bool nonblocking) {
  ArriveOutside(call, EventKind::kOpen, nullptr);
  const long result = AskKernel(call);
  if (result < 0) return result;
  SetDescriptor(result, {.kind = kind,
                         .domestic = true,
                         .nonblocking = nonblocking,
                         .receive_ns = 0,
                         .send_ns = 0});
  Tell(call, EventKind::kOpen, result);
  return result;
}

long MakePipe(Call& call, long flags) {
  ArriveOutside(call, EventKind::kOpen, nullptr);
  const long result = AskKernel(call);
  if (result != 0) return result;
  for (int i = 0; i < 2; ++i) {
    const long fd = call.pointer<const int>(0)[i];
    SetDescriptor(fd, {.kind = DescriptorKind::kPipe,
                       .domestic = true,
                       .nonblocking = (flags & O_NONBLOCK) != 0,
                       .receive_ns = 0,
                       .send_ns = 0});
    Tell(call, EventKind::kOpen, fd);
  }
  return result;
}

// Locks of files: tried until they are had. Others of this process run in
// between; when none can, real time passes.
long TakeLock(Call& call, long try_args1) {
  for (uint32_t attempts = 1;; ++attempts) {
    ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
    const long result =
        sys::Call(call.number, call.args[0], try_args1, call.args[2]);
    if (result != -EAGAIN && result != -EACCES) {
      gate().Progressed(*call.thread);
      Tell(call, EventKind::kUse, call.fd());
      return result;
    }
    LetOthersRun(*call.thread, attempts);
  }
}

// Bytes that an ioctl fills; 0 for those that fill nothing or are not known.
size_t BytesOf(unsigned long request) {
  switch (request) {
    case FIONREAD:
    case SIOCATMARK:
    case TIOCGETD:
    case TIOCGPGRP:
    case TIOCGSID:
    case TIOCMGET:
    case TIOCOUTQ:
      return sizeof(int);
    case TIOCGWINSZ:
      return sizeof(winsize);
    case TCGETS:
      return 36;  // the kernel's struct termios
    default:
      // Newer ones say it themselves.
      return (_IOC_DIR(request) & _IOC_READ) != 0 ? _IOC_SIZE(request) : 0;
  }
}

// A terminal of the pair that /dev/ptmx makes. Its number is not the same
// again, and the schedule has the calls that would make it accessible: so it
// has this one as well, and an execution that follows never opens somebody
// else's.
bool OpensTerminal(const Call& call) {
  constexpr char kDirectory[] = "/dev/pts/";
  if (call.number != SYS_open && call.number != SYS_openat) return false;
  const char* path = call.pointer<const char>(call.number == SYS_open ? 0 : 1);
  for (size_t i = 0; i < sizeof(kDirectory) - 1; ++i) {
    const Look look = LookAt(path + i, 1);
    if (look.seen == 0 || static_cast<char>(look.value) != kDirectory[i]) {
      return false;
    }
  }
  return true;
}

long OpenTerminal(Call& call) {
  const long flags = call.args[call.number == SYS_open ? 1 : 2];
  const bool nonblocking = (flags & O_NONBLOCK) != 0;
  const long result = FromOutside(call, true, [&] { return AskKernel(call); });
  if (result < 0) return result;
  if (inputs().fed()) HoldPlace(result, nonblocking);
  SetDescriptor(result, {.kind = DescriptorKind::kTerminal,
                         .domestic = false,
                         .nonblocking = nonblocking,
                         .receive_ns = 0,
                         .send_ns = 0});
  Tell(call, EventKind::kOpen, result);
  return result;
}

}  // namespace

long DoOpen(Call& call) {
  ArriveOutside(call, EventKind::kOpen, nullptr);
  if (OpensTerminal(call)) return OpenTerminal(call);
  const long result = OpensFifo(call) ? OpenFifo(call) : AskKernel(call);
  if (result < 0) return result;
  LookAtNewDescriptor(result);
  Tell(call, EventKind::kOpen, result);
  return result;
}

long DoPidfdOpen(Call& call) {
  call.args[0] = RealPid(static_cast<int>(call.args[0]));
  return DoOpen(call);
}

long DoClose(Call& call) {
  ArriveOutside(call, EventKind::kClose, ObjectOf(call.fd()));
  const long result = AskKernel(call);
  ForgetDescriptor(call.args[0]);
  Unregister(call.fd());
  if (Timer* timer = FindTimerOf(call.fd())) EndTimer(*timer);
  ForgetSignalFd(call.fd());
  gate().Progressed(*call.thread);
  if (result == 0) NoteClosed(call.args[0]);
  Tell(call, EventKind::kClose, call.args[0]);
  return result;
}

long DoCloseRange(Call& call) {
  ArriveOutside(call, EventKind::kClose, nullptr);
  const long result = AskKernel(call);
  constexpr long kOnlyMarks = 4;  // CLOSE_RANGE_CLOEXEC
  if (result == 0 && (call.args[2] & kOnlyMarks) == 0) {
    const auto last = static_cast<uint32_t>(call.args[1]);
    ForgetDescriptors(static_cast<uint32_t>(call.args[0]), last);
  }
  OutsideChanged();
  return result;
}

long DoDup(Call& call) {
  ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
  DescriptorOf(*call.thread, call.args[0]);
  const long result = AskKernel(call);
  if (result >= 0 && result != call.args[0]) {
    CopyDescriptor(call.args[0], result);
    ForgetSignalFd(static_cast<int>(result));
    CopySignalFd(call.fd(), static_cast<int>(result));
    Tell(call, EventKind::kOpen, result);
  }
  return result;
}

long DoPipe(Call& call) { return MakePipe(call, 0); }
long DoPipe2(Call& call) { return MakePipe(call, call.args[1]); }

long DoEventfd(Call& call) {
  return MakeDomestic(call, DescriptorKind::kEvent, false);
}
long DoEventfd2(Call& call) {
  return MakeDomestic(call, DescriptorKind::kEvent,
                      (call.args[1] & EFD_NONBLOCK) != 0);
}

long DoFcntl(Call& call) {
  switch (call.args[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      return DoDup(call);
    case F_SETLKW:
      return TakeLock(call, F_SETLK);
    case F_OFD_SETLKW:
      return TakeLock(call, F_OFD_SETLK);
    case F_SETFL: {
      Descriptor& descriptor = DescriptorOf(*call.thread, call.args[0]);
      const long result = AskKernel(call);
      if (result == 0)
        descriptor.nonblocking = (call.args[2] & O_NONBLOCK) != 0;
      return result;
    }
    case F_GETFL: {
      const bool foreign = DescriptorOf(*call.thread, call.args[0]).foreign();
      return FromOutside(call, foreign, [&] { return AskKernel(call); });
    }
    default:
      return AskKernel(call);
  }
}

long DoFlock(Call& call) {
  constexpr long kTryOnly = 4;  // LOCK_NB
  if ((call.args[1] & kTryOnly) != 0) return AskKernel(call);
  return TakeLock(call, call.args[1] | kTryOnly);
}

long DoIoctl(Call& call) {
  Descriptor& descriptor = DescriptorOf(*call.thread, call.args[0]);
  const auto request = static_cast<unsigned long>(call.args[1]);
  if (request == FIONBIO) {
    const long result = AskKernel(call);
    if (result == 0) {
      descriptor.nonblocking = *call.pointer<const int>(2) != 0;
    }
    return result;
  }
  const size_t bytes = BytesOf(request);
  return FromOutside(
      call, descriptor.foreign(), [&] { return AskKernel(call); },
      [&](long result, Outputs& outputs) {
        if (result >= 0) outputs.Add(call.pointer<void>(2), bytes);
      });
}

// What libc asks before it buffers: of a descriptor from outside, an input.
long DoFstat(Call& call) {
  const bool foreign = DescriptorOf(*call.thread, call.args[0]).foreign();
  return FromOutside(
      call, foreign, [&] { return AskKernel(call); },
      [&](long result, Outputs& outputs) {
        if (result == 0) {
          outputs.Add(call.pointer<void>(1), sizeof(struct stat));
        }
      });
}

long DoNewfstatat(Call& call) {
  const char* path = call.pointer<const char>(1);
  const bool empty = (call.args[3] & AT_EMPTY_PATH) != 0 &&
                     LookAt(path, 1) == Look{0, 1} && call.args[0] >= 0;
  const bool foreign =
      empty && DescriptorOf(*call.thread, call.args[0]).foreign();
  return FromOutside(
      call, foreign, [&] { return AskKernel(call); },
      [&](long result, Outputs& outputs) {
        if (result == 0) {
          outputs.Add(call.pointer<void>(2), sizeof(struct stat));
        }
      });
}

long DoLseek(Call& call) {
  const bool foreign = DescriptorOf(*call.thread, call.args[0]).foreign();
  return FromOutside(call, foreign, [&] { return AskKernel(call); });
}

}  // namespace fairlead::rt
