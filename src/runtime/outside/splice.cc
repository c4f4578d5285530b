// runtime/outside/splice.cc
//
// Calls that move bytes from one descriptor to another: splice, tee, vmsplice,
// sendfile. Between descriptors that are this process's own the kernel moves
// them, once both ends are ready. Where an end is foreign they are a read and a
// write: so what comes from outside is an input, what a file has is read anew
// when a schedule is followed, and its position is where it was.
//
// Incomplete: a tee of which an end is foreign moves nothing then.

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/uio.h>

#include "runtime/outside/from_outside.h"
#include "runtime/outside/transfer.h"

namespace fairlead::rt {
namespace {

// What a pipe that says it is ready takes at once; it is on the program's
// stack.
constexpr size_t kPart = PIPE_BUF / 2;

// One end: a descriptor, and the position in it that the program keeps itself.
struct End {
  long fd;
  int64_t* position;  // null = the open file's own
};

// Until `fd` is ready, if it is of a kind that waits. 0, or why not.
long AwaitEnd(Call& call, long fd, short events) {
  const Descriptor descriptor = DescriptorOf(*call.thread, fd);
  if (!descriptor.may_wait()) return 0;
  pollfd one = {.fd = static_cast<int>(fd), .events = events, .revents = 0};
  OutsideWait wait = {
      .fds = &one, .num_fds = 1, .foreign = descriptor.foreign()};
  const Wake wake = AwaitOutside(call, wait, ObjectOf(one.fd), kNoDeadline);
  return wake == Wake::kReady ? 0 : EndedEarly(call, wake);
}

// The call as it is, flags in its argument `flags_at`, between `from` and `to`.
long MoveInKernel(Call& call, long from, long to, int flags_at) {
  const bool waits = (call.args[flags_at] & SPLICE_F_NONBLOCK) == 0 &&
                     !DescriptorOf(*call.thread, from).nonblocking &&
                     !DescriptorOf(*call.thread, to).nonblocking;
  Call at_once = call;
  at_once.args[flags_at] |= SPLICE_F_NONBLOCK;
  for (;;) {
    if (waits) {
      long error = AwaitEnd(call, from, POLLIN);
      if (error == 0) error = AwaitEnd(call, to, POLLOUT);
      if (error != 0) return error;
    } else {
      ArriveOutside(call, EventKind::kUse, ObjectOf(static_cast<int>(from)));
    }
    const long result = AskKernel(at_once);
    if (WouldWait(result) && waits) continue;
    if (WouldWait(result)) {
      FoundNothing(call, false, from);
    } else {
      gate().Progressed(*call.thread);
    }
    EmitUse(call);
    return result;
  }
}

Call CallOn(const Call& call, long number, long fd, const void* bytes,
            size_t size) {
  Call made = call;
  made.number = number;
  made.args[0] = fd;
  made.args[1] = sys::Arg(bytes);
  made.args[2] = static_cast<long>(size);
  return made;
}

long Take(const Call& call, const End& from, char* bytes, size_t size) {
  if (from.position == nullptr) {
    Call read = CallOn(call, SYS_read, from.fd, bytes, size);
    return DoRead(read);
  }
  const long result = sys::Call(SYS_pread64, from.fd, sys::Arg(bytes),
                                static_cast<long>(size), *from.position);
  if (result > 0) *from.position += result;
  return result;
}

long Give(const Call& call, const End& to, const char* bytes, size_t size) {
  if (to.position == nullptr) {
    Call write = CallOn(call, SYS_write, to.fd, bytes, size);
    return DoWrite(write);
  }
  const long result = sys::Call(SYS_pwrite64, to.fd, sys::Arg(bytes),
                                static_cast<long>(size), *to.position);
  if (result > 0) *to.position += result;
  return result;
}

// `left` bytes that were taken are not wanted.
void GiveBack(const End& from, long left) {
  if (from.position != nullptr) {
    *from.position -= left;
  } else {
    sys::Call(SYS_lseek, from.fd, -left, SEEK_CUR);
  }
}

// One part of it. What has been taken from anything but a file cannot be given
// back: it waits for room, then.
long MovePart(Call& call, const End& from, const End& to, size_t size) {
  char bytes[kPart];
  const long got = Take(call, from, bytes, size < kPart ? size : kPart);
  const bool file = !DescriptorOf(*call.thread, from.fd).may_wait();
  long done = 0;
  while (done < got) {
    const long result =
        Give(call, to, bytes + done, static_cast<size_t>(got - done));
    if (result > 0) {
      done += result;
      continue;
    }
    if (file) {
      GiveBack(from, got - done);
      return done != 0 ? done : result;
    }
    if (!WouldWait(result)) return done != 0 ? done : result;
    const long error = AwaitEnd(call, to.fd, POLLOUT);
    if (error != 0) return done != 0 ? done : error;
  }
  return got < 0 ? got : done;
}

bool IsForeign(Call& call, long fd) {
  return DescriptorOf(*call.thread, fd).foreign();
}

// Whether `fd` is ready now, as an input if it is foreign.
bool IsReadyNow(Call& call, long fd, short events) {
  if (!DescriptorOf(*call.thread, fd).may_wait()) return true;
  return FromOutside(call, IsForeign(call, fd), [&] {
           pollfd one = {
               .fd = static_cast<int>(fd), .events = events, .revents = 0};
           return sys::Call(SYS_poll, sys::Arg(&one), 1, 0);
         }) > 0;
}

}  // namespace

long DoSplice(Call& call) {
  const End from = {call.args[0], call.pointer<int64_t>(1)};
  const End to = {call.args[2], call.pointer<int64_t>(3)};
  if (!IsForeign(call, from.fd) && !IsForeign(call, to.fd)) {
    return MoveInKernel(call, from.fd, to.fd, 5);
  }
  if ((call.args[5] & SPLICE_F_NONBLOCK) != 0 &&
      (!IsReadyNow(call, from.fd, POLLIN) ||
       !IsReadyNow(call, to.fd, POLLOUT))) {
    FoundNothing(call, true, from.fd);
    return -EAGAIN;
  }
  return MovePart(call, from, to, static_cast<size_t>(call.args[4]));
}

long DoTee(Call& call) {
  if (!IsForeign(call, call.args[0]) && !IsForeign(call, call.args[1])) {
    return MoveInKernel(call, call.args[0], call.args[1], 3);
  }
  const bool waits = (call.args[3] & SPLICE_F_NONBLOCK) == 0;
  if (waits) {
    long error = AwaitEnd(call, call.args[0], POLLIN);
    if (error == 0) error = AwaitEnd(call, call.args[1], POLLOUT);
    if (error != 0) return error;
  }
  return FromOutside(call, true, [&] { return AskKernel(call); });
}

// Which way depends on which end of the pipe it is. That pages are given to the
// pipe rather than copied is nobody's business but the program's.
long DoVmsplice(Call& call) {
  const long flags = sys::Call(SYS_fcntl, call.args[0], F_GETFL);
  if (flags < 0) return flags;
  Call copied = call;
  const bool writes = (flags & O_ACCMODE) == O_WRONLY;
  copied.number = writes ? SYS_writev : SYS_readv;
  return writes ? DoWritev(copied) : DoReadv(copied);
}

long DoSendfile(Call& call) {
  const End to = {call.args[0], nullptr};
  const End from = {call.args[1], call.pointer<int64_t>(2)};
  const auto size = static_cast<size_t>(call.args[3]);
  size_t done = 0;
  while (done < size) {
    const long result = MovePart(call, from, to, size - done);
    if (result < 0) return done != 0 ? static_cast<long>(done) : result;
    if (result == 0) break;
    done += static_cast<size_t>(result);
  }
  return static_cast<long>(done);
}

}  // namespace fairlead::rt
