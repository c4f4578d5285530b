#include "explore/run/captured.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/required_calls.h"

namespace fairlead::explore {
namespace {

uint64_t SizeOf(const Fd& fd) {
  struct stat file = {};
  return fstat(fd.get(), &file) == 0 ? static_cast<uint64_t>(file.st_size) : 0;
}

std::string TextOf(const Fd& fd) {
  std::string text(std::min(SizeOf(fd), Captured::kMaxKept), '\0');
  size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = pread(fd.get(), text.data() + have, text.size() - have,
                              static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<size_t>(got);
  }
  text.resize(have);
  return text;
}

Fd MakeStream(const char* name) {
  Fd fd(memfd_create(name, MFD_CLOEXEC));
  // Appending, so that a forked program starts at the new end after `Clear`.
  if (fd) fcntl(fd.get(), F_SETFL, O_APPEND);
  return fd;
}

}  // namespace

Result<Captured> Captured::Create() {
  Fd output = MakeStream("fairlead-stdout");
  Fd error = MakeStream("fairlead-stderr");
  if (!output || !error) {
    return CallError(errno, "memfd_create",
                     "cannot make memory for the program's output");
  }
  return Captured(std::move(output), std::move(error));
}

void Captured::KeepPrinted() {
  kept_output_ = SizeOf(output_);
  kept_error_ = SizeOf(error_);
}

void Captured::Clear() {
  const auto cut = [](const Fd& fd, uint64_t kept) {
    if (SizeOf(fd) == kept) return;
    [[maybe_unused]] const int done =
        ftruncate(fd.get(), static_cast<off_t>(kept));
  };
  cut(output_, kept_output_);
  cut(error_, kept_error_);
}

std::string Captured::Output() const { return TextOf(output_); }
std::string Captured::Error() const { return TextOf(error_); }

uint64_t Captured::num_bytes() const {
  return SizeOf(output_) + SizeOf(error_);
}

}  // namespace fairlead::explore
