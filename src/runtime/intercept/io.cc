// runtime/intercept/io.cc
//
// Functions of libc that are a system call on descriptors. They come to the
// table of outside/call.h, as the system calls themselves would through syscall
// user dispatch, but with the program's own call as their place, at a tenth of
// the cost, as cancellation points, and on every kernel. The rules all hooks
// obey are in runtime/README.md.

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/gate/hook.h"
#include "runtime/outside/call.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

template <typename T>
long Word(T value) {
  if constexpr (__is_pointer(T)) {
    return reinterpret_cast<long>(value);
  } else {
    return static_cast<long>(value);
  }
}

// Makes the call for a hook that is controlled(); its result as libc returns
// it.
template <typename... Arguments>
long Make(HookScope& hook, const void* caller, long number,
          Arguments... arguments) {
  Call call = {.number = number,
               .args = {Word(arguments)...},
               .caller = caller,
               .thread = &hook.thread()};
  const long result = Perform(call);
  return sys::Failed(result) ? hook.Fail(static_cast<int>(-result)) : result;
}

// What the kernel wants as the last argument of pselect6.
struct MaskArgument {
  const sigset_t* mask;
  size_t bytes;
};
constexpr size_t kMaskBytes = 8;

}  // namespace

// A function whose arguments are those of the system call.
#define FL_IO(type, name, parameters, ...)                                    \
  extern "C" FL_HOOK type name parameters {                                   \
    HookScope hook(FL_CALLER);                                                \
    if (!hook.controlled()) return real().name(__VA_ARGS__);                  \
    return static_cast<type>(Make(hook, FL_CALLER, SYS_##name, __VA_ARGS__)); \
  }

FL_IO(ssize_t, read, (int fd, void* to, size_t bytes), fd, to, bytes)
FL_IO(ssize_t, write, (int fd, const void* from, size_t bytes), fd, from, bytes)
FL_IO(ssize_t, readv, (int fd, const iovec* parts, int count), fd, parts, count)
FL_IO(ssize_t, writev, (int fd, const iovec* parts, int count), fd, parts,
      count)
FL_IO(ssize_t, recvfrom,
      (int fd, void* to, size_t bytes, int flags, sockaddr* address,
       socklen_t* length),
      fd, to, bytes, flags, address, length)
FL_IO(ssize_t, recvmsg, (int fd, msghdr* message, int flags), fd, message,
      flags)
FL_IO(ssize_t, sendto,
      (int fd, const void* from, size_t bytes, int flags,
       const sockaddr* address, socklen_t length),
      fd, from, bytes, flags, address, length)
FL_IO(ssize_t, sendmsg, (int fd, const msghdr* message, int flags), fd, message,
      flags)
FL_IO(int, accept, (int fd, sockaddr* address, socklen_t* length), fd, address,
      length)
FL_IO(int, accept4, (int fd, sockaddr* address, socklen_t* length, int flags),
      fd, address, length, flags)
FL_IO(int, connect, (int fd, const sockaddr* address, socklen_t length), fd,
      address, length)
FL_IO(int, poll, (pollfd * fds, nfds_t count, int ms), fds, count, ms)
FL_IO(int, epoll_wait, (int fd, epoll_event* events, int count, int ms), fd,
      events, count, ms)
FL_IO(int, close, (int fd), fd)
FL_IO(int, flock, (int fd, int operation) noexcept, fd, operation)
FL_IO(int, dup, (int fd) noexcept, fd)
FL_IO(int, dup2, (int fd, int to) noexcept, fd, to)
FL_IO(int, dup3, (int fd, int to, int flags) noexcept, fd, to, flags)
FL_IO(int, pipe, (int* fds) noexcept, fds)
FL_IO(int, pipe2, (int* fds, int flags) noexcept, fds, flags)
FL_IO(int, socketpair, (int domain, int type, int protocol, int* fds) noexcept,
      domain, type, protocol, fds)
FL_IO(int, epoll_create1, (int flags) noexcept, flags)
FL_IO(int, epoll_ctl, (int fd, int what, int on, epoll_event* event) noexcept,
      fd, what, on, event)

extern "C" FL_HOOK ssize_t recv(int fd, void* to, size_t bytes, int flags) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().recv(fd, to, bytes, flags);
  return Make(hook, FL_CALLER, SYS_recvfrom, fd, to, bytes, flags, 0, 0);
}

extern "C" FL_HOOK ssize_t send(int fd, const void* from, size_t bytes,
                                int flags) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().send(fd, from, bytes, flags);
  return Make(hook, FL_CALLER, SYS_sendto, fd, from, bytes, flags, 0, 0);
}

extern "C" FL_HOOK int eventfd(unsigned value, int flags) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().eventfd(value, flags);
  return static_cast<int>(Make(hook, FL_CALLER, SYS_eventfd2, value, flags));
}

extern "C" FL_HOOK int ppoll(pollfd* fds, nfds_t count, const timespec* time,
                             const sigset_t* mask) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().ppoll(fds, count, time, mask);
  return static_cast<int>(
      Make(hook, FL_CALLER, SYS_ppoll, fds, count, time, mask, kMaskBytes));
}

extern "C" FL_HOOK int select(int count, fd_set* to_read, fd_set* to_write,
                              fd_set* exceptions, timeval* time) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().select(count, to_read, to_write, exceptions, time);
  }
  return static_cast<int>(Make(hook, FL_CALLER, SYS_select, count, to_read,
                               to_write, exceptions, time));
}

extern "C" FL_HOOK int pselect(int count, fd_set* to_read, fd_set* to_write,
                               fd_set* exceptions, const timespec* time,
                               const sigset_t* mask) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().pselect(count, to_read, to_write, exceptions, time, mask);
  }
  const MaskArgument argument = {mask, kMaskBytes};
  return static_cast<int>(Make(hook, FL_CALLER, SYS_pselect6, count, to_read,
                               to_write, exceptions, time, &argument));
}

extern "C" FL_HOOK int epoll_pwait(int fd, epoll_event* events, int count,
                                   int ms, const sigset_t* mask) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().epoll_pwait(fd, events, count, ms, mask);
  }
  return static_cast<int>(Make(hook, FL_CALLER, SYS_epoll_pwait, fd, events,
                               count, ms, mask, kMaskBytes));
}

extern "C" FL_HOOK int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().fcntl(fd, command, argument);
  return static_cast<int>(
      Make(hook, FL_CALLER, SYS_fcntl, fd, command, argument));
}

FL_HOOK_ALIAS(fcntl64, fcntl);
FL_HOOK_ALIAS(__read, read);
FL_HOOK_ALIAS(__write, write);
FL_HOOK_ALIAS(__close, close);
FL_HOOK_ALIAS(__poll, poll);
FL_HOOK_ALIAS(__connect, connect);
FL_HOOK_ALIAS(__send, send);
