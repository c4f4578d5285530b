#include "runtime/outside/signal_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/signals.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/registrations.h"
#include "runtime/outside/waiting.h"

namespace fairlead::rt {
namespace {

struct SignalFd {
  bool used;
  int fd;
  SignalSet set;
};
// More than any program that we know has at once.
constexpr size_t kMost = 64;
SignalFd signal_fds[kMost];
size_t num_used = 0;

SignalFd* Find(int fd) {
  if (num_used == 0) return nullptr;
  for (SignalFd& one : signal_fds) {
    if (one.used && one.fd == fd) return &one;
  }
  return nullptr;
}

SignalFd* Make(int fd, SignalSet set) {
  for (SignalFd& one : signal_fds) {
    if (one.used) continue;
    one = {true, fd, set};
    ++num_used;
    return &one;
  }
  return nullptr;
}

SignalSet PendingForAnybody() {
  SignalSet pending = 0;
  for (size_t i = 0; i < gate().num_live(); ++i) {
    pending |= PendingFor(gate().live(i));
  }
  return pending;
}

// Makes the eventfd tell what is pending.
void Show(const SignalFd& one, SignalSet pending) {
  const bool wanted = (pending & one.set) != 0;
  pollfd fd = {.fd = one.fd, .events = POLLIN, .revents = 0};
  const bool shown = sys::Call(SYS_poll, sys::Arg(&fd), 1, 0) == 1;
  if (wanted == shown) return;
  uint64_t count = 1;
  if (wanted) {
    sys::Write(one.fd, &count, sizeof(count));
  } else {
    sys::Call(SYS_read, one.fd, sys::Arg(&count), sizeof(count));
  }
}

signalfd_siginfo InKernelsWords(const siginfo_t& info) {
  signalfd_siginfo told = {};
  told.ssi_signo = static_cast<uint32_t>(info.si_signo);
  told.ssi_errno = info.si_errno;
  told.ssi_code = info.si_code;
  if (info.si_code == SI_TIMER) {
    told.ssi_tid = static_cast<uint32_t>(info.si_timerid);
    told.ssi_overrun = static_cast<uint32_t>(info.si_overrun);
  } else {
    told.ssi_pid = static_cast<uint32_t>(info.si_pid);
    told.ssi_uid = info.si_uid;
  }
  if (info.si_signo == SIGCHLD && info.si_code > 0) {
    told.ssi_status = info.si_status;
    told.ssi_utime = static_cast<uint64_t>(info.si_utime);
    told.ssi_stime = static_cast<uint64_t>(info.si_stime);
  } else {
    told.ssi_ptr = reinterpret_cast<uint64_t>(info.si_value.sival_ptr);
    told.ssi_int = info.si_value.sival_int;
  }
  return told;
}

// Takes what is there for the calling thread; returns how many.
long Take(Call& call, SignalSet set, long room) {
  auto* to = call.pointer<signalfd_siginfo>(1);
  long taken = 0;
  PendingSignal signal;
  while (taken < room && TakePending(*call.thread, set, &signal)) {
    if (signal.sender.thread != nullptr) {
      emitter().EmitWake(*call.thread, EventKind::kWakeKill, nullptr,
                         signal.sender);
    }
    emitter().Emit(*call.thread, EventKind::kSignalWait,
                   abi::kFlagPoint | abi::kFlagSuccess, nullptr,
                   static_cast<uint64_t>(signal.info.si_signo));
    to[taken++] = InKernelsWords(signal.info);
  }
  return taken;
}

bool IsPending(const OutsideWait& wait) {
  const auto& set = *static_cast<const SignalSet*>(wait.sought);
  return (PendingFor(*wait.thread) & set) != 0;
}

void AddSignals(int fd, void* set) {
  const SignalFd* found = Find(fd);
  if (found != nullptr) *static_cast<SignalSet*>(set) |= found->set;
}

}  // namespace

void PendingChanged() {
  if (num_used == 0) return;
  const SignalSet pending = PendingForAnybody();
  for (const SignalFd& one : signal_fds) {
    if (one.used) Show(one, pending);
  }
  OutsideChanged();
}

long ReadSignals(Call& call, bool waits) {
  const SignalFd* found = Find(call.fd());
  if (found == nullptr) return AskKernel(call);
  const long room = call.args[2] / static_cast<long>(sizeof(signalfd_siginfo));
  if (room == 0) return -EINVAL;
  const SignalSet set = found->set;
  for (;;) {
    if (waits) {
      pollfd fd = {.fd = call.fd(), .events = POLLIN, .revents = 0};
      OutsideWait wait = {.fds = &fd,
                          .num_fds = 1,
                          .foreign = false,
                          .look = IsPending,
                          .sought = &set,
                          .what = "a signal to read from a descriptor"};
      const Wake wake =
          AwaitOutside(call, wait, ObjectOf(call.fd()), kNoDeadline);
      if (wake != Wake::kReady) return EndedEarly(call, wake);
    } else {
      ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
    }
    const long taken = Take(call, set, room);
    if (taken != 0) {
      gate().Progressed(*call.thread);
      return taken * static_cast<long>(sizeof(signalfd_siginfo));
    }
    if (!waits) {
      FoundNothing(call, false, call.fd());
      return -EAGAIN;
    }
  }
}

void ForgetSignalFd(int fd) {
  SignalFd* found = Find(fd);
  if (found == nullptr) return;
  found->used = false;
  --num_used;
}

void CopySignalFd(int from, int to) {
  const SignalFd* found = Find(from);
  if (found != nullptr) Make(to, found->set);
}

SignalSet SignalsOf(int fd) {
  if (num_used == 0) return 0;
  SignalSet set = 0;
  AddSignals(fd, &set);
  ForEachRegistered(fd, AddSignals, &set);
  return set;
}

void HandSignalFdsToKernel() {
  for (SignalFd& one : signal_fds) {
    if (!one.used) continue;
    const long flags = sys::Call(SYS_fcntl, one.fd, F_GETFD);
    const long status = sys::Call(SYS_fcntl, one.fd, F_GETFL);
    const long made = sys::Call(SYS_signalfd4, -1, sys::Arg(&one.set),
                                sizeof(one.set), status & O_NONBLOCK);
    if (made < 0) continue;
    sys::Call(SYS_dup3, made, one.fd,
              (flags & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
    sys::Close(static_cast<int>(made));
    one.used = false;
  }
  num_used = 0;
}

long DoSignalfd(Call& call) {
  const long flags = call.number == SYS_signalfd4 ? call.args[3] : 0;
  if (call.args[2] != sizeof(SignalSet)) return -EINVAL;
  const SignalSet set = *call.pointer<const SignalSet>(1);
  if (call.fd() != -1) {
    SignalFd* found = Find(call.fd());
    if (found == nullptr) return AskKernel(call);
    ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
    found->set = set;
    PendingChanged();
    return call.fd();
  }
  ArriveOutside(call, EventKind::kOpen, nullptr);
  static_assert(int{SFD_NONBLOCK} == int{EFD_NONBLOCK} &&
                int{SFD_CLOEXEC} == int{EFD_CLOEXEC});
  const long fd = sys::Call(SYS_eventfd2, 0, flags);
  if (fd < 0) return fd;
  if (Make(static_cast<int>(fd), set) == nullptr) {
    sys::Close(static_cast<int>(fd));
    return -EMFILE;
  }
  SetDescriptor(fd, {.kind = DescriptorKind::kSignal,
                     .domestic = true,
                     .nonblocking = (flags & SFD_NONBLOCK) != 0,
                     .receive_ns = 0,
                     .send_ns = 0});
  emitter().Emit(*call.thread, EventKind::kOpen, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(fd));
  PendingChanged();
  return fd;
}

}  // namespace fairlead::rt
