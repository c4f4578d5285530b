#include "explore/run/repeated_input.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fairlead::explore {
namespace {

// Everything that a pipe has to give, in memory.
Result<Fd> Collect() {
  Fd kept(memfd_create("fairlead-input", MFD_CLOEXEC));
  char bytes[1 << 16];
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, bytes, sizeof(bytes));
    if (got == 0) return kept;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 || !kept ||
        write(kept.get(), bytes, static_cast<size_t>(got)) != got) {
      return Error(ErrorCode::kEnvironment)
          .Say("standard input cannot be kept for the repetitions")
          .Hint("give the program a file: < FILE");
    }
  }
}

}  // namespace

Result<RepeatedInput> RepeatedInput::OfOurs() {
  struct stat file = {};
  const bool known = fstat(STDIN_FILENO, &file) == 0;
  if (known && S_ISREG(file.st_mode)) {
    return RepeatedInput(Fd(dup(STDIN_FILENO)),
                         lseek(STDIN_FILENO, 0, SEEK_CUR));
  }
  if (known && S_ISFIFO(file.st_mode)) {
    Result<Fd> kept = Collect();
    if (!kept) return kept.error();
    return RepeatedInput(*std::move(kept), 0);
  }
  return RepeatedInput(Fd(open("/dev/null", O_RDONLY | O_CLOEXEC)), 0);
}

Fd RepeatedInput::Open() const {
  const std::string path = fmt::format("/proc/self/fd/{}", kept_.get());
  Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd) lseek(fd.get(), begin_, SEEK_SET);
  return fd;
}

}  // namespace fairlead::explore
