#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace fairlead {
namespace {

constexpr size_t kReadBytes = 1 << 16;  // a pipe's capacity

Error CannotWrite(int number, std::string_view path) {
  return SystemError(number, fmt::format("cannot write {}", path));
}

// Whether `path` names something that must be written in place.
bool IsSpecial(const std::string& path) {
  struct stat what;
  return stat(path.c_str(), &what) == 0 && !S_ISREG(what.st_mode);
}

}  // namespace

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    Close();
    number_ = other.Release();
  }
  return *this;
}

int Fd::Release() { return std::exchange(number_, -1); }

void Fd::Close() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

Result<std::string> ReadAll(int fd, std::string_view name) {
  std::string text;
  while (true) {
    const size_t before = text.size();
    text.resize(before + kReadBytes);
    const ssize_t got = read(fd, text.data() + before, kReadBytes);
    const int error = errno;
    text.resize(before + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got == 0) return text;
    if (got < 0 && error != EINTR) {
      return SystemError(error, fmt::format("cannot read {}", name));
    }
  }
}

Result<std::string> ReadFile(const std::string& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return SystemError(errno, fmt::format("cannot open {}", path));
  return ReadAll(fd.get(), path);
}

OutputFile::OutputFile(std::string path, std::string draft,
                       std::optional<GuardedFile> guarded, Fd fd)
    : path_(std::move(path)),
      draft_(std::move(draft)),
      guarded_(std::move(guarded)),
      fd_(std::move(fd)) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      draft_(std::exchange(other.draft_, "")),
      guarded_(std::move(other.guarded_)),
      fd_(std::move(other.fd_)) {}

OutputFile::~OutputFile() {
  if (fd_ && !draft_.empty()) unlink(draft_.c_str());
}

Result<OutputFile> OutputFile::Create(const std::string& path) {
  std::string draft;
  if (!IsSpecial(path)) draft = fmt::format("{}.{}.part", path, getpid());
  const std::string& name = draft.empty() ? path : draft;
  std::optional<GuardedFile> guarded;
  if (!draft.empty()) guarded.emplace(draft);
  Fd fd(open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd) return CannotWrite(errno, path);
  return OutputFile(path, std::move(draft), std::move(guarded), std::move(fd));
}

Status OutputFile::Write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(fd_.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return CannotWrite(errno, path_);
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return {};
}

Status OutputFile::Write(std::string_view text) {
  return Write(std::as_bytes(std::span(text)));
}

Status OutputFile::Finish() {
  // Some file systems tell of a full disk only when the file is closed.
  if (close(fd_.Release()) != 0) {
    const int error = errno;
    if (!draft_.empty()) unlink(draft_.c_str());
    return CannotWrite(error, path_);
  }
  if (!draft_.empty() && rename(draft_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    unlink(draft_.c_str());
    return CannotWrite(error, path_);
  }
  return {};
}

Status WriteFile(const std::string& path, std::string_view text) {
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file) return file.error();
  if (Status written = file->Write(text); !written) return written;
  return file->Finish();
}

Result<std::string> OwnDirectory() {
  std::error_code failure;
  const std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", failure);
  if (failure)
    return SystemError(failure.value(), "cannot read /proc/self/exe");
  return self.parent_path().string();
}

}  // namespace fairlead
