#include "runtime/outside/fifos.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/gate/inputs.h"
#include "runtime/outside/waiting.h"

namespace fairlead::rt {
namespace {

// The arguments of open begin one earlier.
int FlagsAt(const Call& call) { return call.number == SYS_open ? 1 : 2; }

const char* PathOf(const Call& call) {
  return call.pointer<const char>(FlagsAt(call) - 1);
}

long DirectoryOf(const Call& call) {
  return call.number == SYS_open ? long{AT_FDCWD} : call.args[0];
}

// One thread's attempt, on its stack.
struct Attempt {
  Call call;  // with O_NONBLOCK
  long fd;    // of a reader; negative = this one writes
};

// Whether somebody has the FIFO behind `fd`, which we read, open for writing. A
// copy of what is in it tells: there is none of it yet, or none to come.
bool HasWriter(long fd) {
  int scratch[2];
  if (sys::Call(SYS_pipe2, sys::Arg(scratch), O_CLOEXEC) != 0) return true;
  constexpr long kNoWait = 2;  // SPLICE_F_NONBLOCK
  const long copied = sys::Call(SYS_tee, fd, scratch[1], 1, kNoWait);
  sys::Close(scratch[0]);
  sys::Close(scratch[1]);
  return copied != 0;
}

bool OtherEndIsThere(const OutsideWait& wait) {
  const auto& attempt = *static_cast<const Attempt*>(wait.sought);
  if (attempt.fd >= 0) return HasWriter(attempt.fd);
  const long fd = AskKernel(attempt.call);
  if (fd >= 0) sys::Close(static_cast<int>(fd));
  return fd != -ENXIO;
}

// An execution that follows a schedule may be alone with the FIFO: it is held
// open at both ends then.
long OpenAlone(Attempt& attempt) {
  const int at = FlagsAt(attempt.call);
  attempt.call.args[at] = (attempt.call.args[at] & ~long{O_ACCMODE}) | O_RDWR;
  return AskKernel(attempt.call);
}

}  // namespace

bool OpensFifo(const Call& call) {
  if (call.number != SYS_open && call.number != SYS_openat) return false;
  const long flags = call.args[FlagsAt(call)];
  if ((flags & (O_NONBLOCK | O_PATH | O_DIRECTORY)) != 0 ||
      (flags & O_ACCMODE) == O_RDWR) {
    return false;
  }
  struct stat file = {};
  return sys::Call(SYS_newfstatat, DirectoryOf(call), sys::Arg(PathOf(call)),
                   sys::Arg(&file), 0) == 0 &&
         S_ISFIFO(file.st_mode);
}

long OpenFifo(Call& call) {
  const int at = FlagsAt(call);
  Attempt attempt = {call, -1};
  attempt.call.args[at] |= O_NONBLOCK;
  if ((call.args[at] & O_ACCMODE) == O_RDONLY) {
    attempt.fd = AskKernel(attempt.call);
    if (attempt.fd < 0) return attempt.fd;
  }
  OutsideWait wait = {.fds = nullptr,
                      .num_fds = 0,
                      .foreign = true,
                      .look = OtherEndIsThere,
                      .sought = &attempt,
                      .what = "another to open the same FIFO",
                      .unannounced = true};
  const Wake wake = AwaitOutside(call, wait, nullptr, kNoDeadline);
  if (wake != Wake::kReady) {
    if (attempt.fd >= 0) sys::Close(static_cast<int>(attempt.fd));
    return EndedEarly(call, wake);
  }
  // The descriptor of one that writes gets its number only now, as it will when
  // the schedule is followed.
  if (attempt.fd < 0) attempt.fd = AskKernel(attempt.call);
  if (attempt.fd == -ENXIO) attempt.fd = OpenAlone(attempt);
  if (attempt.fd < 0) return attempt.fd;
  sys::Call(SYS_fcntl, attempt.fd, F_SETFL,
            call.args[at] & ~long{O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC});
  return attempt.fd;
}

}  // namespace fairlead::rt
