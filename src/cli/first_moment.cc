// cli/first_moment.cc
//
// What happens ahead of all constructors, those of libraries included: from
// here on ^C ends the command as it should, and a system that refuses what the
// C library cannot do without is told, which would otherwise abort us there.
//
// Loading our libraries takes longer than this function's whole life; a signal
// that comes before ends the process like any other.

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <new>

#include "base/exit_code.h"
#include "explore/run/interrupt.h"

namespace fairlead::cli {
namespace {

// Nobody ends it: it watches until the process is gone.
alignas(explore::InterruptWatch) char room[sizeof(explore::InterruptWatch)];

bool IsRefusal(int number) {
  return number == EPERM || number == EACCES || number == ENOSYS;
}

// Without it nothing can be said, nor can whoever waits for us be told.
void RefuseWithoutWrite() {
  if (write(-1, nullptr, 0) < 0 && IsRefusal(errno)) {
    _exit(static_cast<int>(ExitCode::kEnvironment));
  }
}

void RefuseWithoutFutex() {
  int word = 0;
  if (syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0) >=
      0) {
    return;
  }
  if (!IsRefusal(errno)) return;
  constexpr char kWords[] =
      "fairlead: error: the system refuses the call futex, without which "
      "threads cannot wait; allow it in the filter of system calls (seccomp) "
      "that this runs under\n";
  [[maybe_unused]] const ssize_t put =
      write(STDERR_FILENO, kWords, strlen(kWords));
  _exit(static_cast<int>(ExitCode::kEnvironment));
}

void Begin() {
  RefuseWithoutWrite();
  RefuseWithoutFutex();
  new (room) explore::InterruptWatch;
}

// A sanitizer's runtime is not there yet.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
[[gnu::constructor]] void BeginLater() { Begin(); }
#else
[[gnu::section(".preinit_array"), gnu::used]] void (*const begin)() = Begin;
#endif

}  // namespace
}  // namespace fairlead::cli
