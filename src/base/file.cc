#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

#include "base/digest.h"
#include "base/output_place.h"
#include "base/patience.h"
#include "base/random_number.h"

namespace fairlead {
namespace {

constexpr size_t kReadBytes = 1 << 16;  // a pipe's capacity

// A larger file is read in so many places: 64 MB in all, a tenth of a second.
constexpr off_t kLargeFile = off_t{256} << 20;
constexpr off_t kSamples = 1024;

// A device or a pipe may have no end at all; a schedule of a million choices is
// 50 MB.
constexpr size_t kMaxStream = size_t{256} << 20;

// Two drafts never get the same name by chance; somebody who makes files to get
// in our way has to guess.
constexpr int kMaxNames = 8;

Error CannotWrite(int number, std::string_view path) {
  return SystemError(number, fmt::format("cannot write {}", path));
}

// Only the opening was not to wait.
void StopPolling(int fd) {
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
}

// Whether a call that was interrupted is not to be made again.
bool IsGivenUp() { return HadEnough() == Enough::kUser; }

Error GivenUp(std::string_view what) {
  return Error(ErrorCode::kInterrupted)
      .Say("stopped by the user while {}", what);
}

// A pipe that has a name, which its other end may never open.
bool IsNamedPipe(int fd) {
  struct stat what;
  struct statfs system;
  return fstat(fd, &what) == 0 && S_ISFIFO(what.st_mode) &&
         fstatfs(fd, &system) == 0 && system.f_type != PIPEFS_MAGIC;
}

// 0 = it is not large, or no file.
off_t SizeIfLarge(int fd) {
  struct stat what = {};
  const bool large = fstat(fd, &what) == 0 && S_ISREG(what.st_mode) &&
                     what.st_size > kLargeFile;
  return large ? what.st_size : 0;
}

// The name of a draft for the file `name`; it fits where that fits.
std::string DraftOf(const std::string& name) {
  return fmt::format("{:.200}.{:016x}.part", name, RandomNumber());
}

Error TooLarge(std::string_view name, uint64_t most) {
  return Error(ErrorCode::kUsage)
      .Say("{} holds more than {} MB, or has no end", name, most >> 20)
      .Hint("give the file that was meant");
}

Result<std::string> ReadUpTo(int fd, std::string_view name, size_t most) {
  std::string text;
  while (true) {
    const size_t before = text.size();
    if (before > most) return TooLarge(name, most);
    text.resize(before + kReadBytes);
    const ssize_t got = read(fd, text.data() + before, kReadBytes);
    const int error = errno;
    text.resize(before + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got == 0) return text;
    if (got < 0 && error == EINTR && IsGivenUp()) {
      return GivenUp(fmt::format("{} was read", name));
    }
    if (got < 0 && error != EINTR) {
      return SystemError(error, fmt::format("cannot read {}", name));
    }
  }
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

Result<std::string> ReadAll(int fd, std::string_view name, size_t most) {
  struct stat what = {};
  const bool regular = fstat(fd, &what) == 0 && S_ISREG(what.st_mode);
  if (regular && static_cast<uint64_t>(what.st_size) > most) {
    return TooLarge(name, most);
  }
  try {
    return ReadUpTo(fd, name, regular ? most : std::min(most, kMaxStream));
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::kEnvironment)
        .Say("not enough memory to read {}", name)
        .Hint("see ulimit -v");
  }
}

Result<std::string> ReadFile(const std::string& path, size_t most) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return SystemError(errno, fmt::format("cannot open {}", path));
  StopPolling(fd.get());
  Result<std::string> text = ReadAll(fd.get(), path, most);
  if (text && text->empty() && IsNamedPipe(fd.get())) {
    return Error(ErrorCode::kEnvironment)
        .Say("cannot read {}: it is a pipe that nobody writes to", path)
        .Hint("start its writer first, or name a file");
  }
  return text;
}

Result<uint64_t> DigestOfFile(const std::string& path,
                              std::string_view before) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return SystemError(errno, fmt::format("cannot open {}", path));
  Digester digester;
  digester.Add(std::as_bytes(std::span(before)));
  const off_t large = SizeIfLarge(fd.get());
  if (large != 0) digester.Add(large);
  const off_t stride = large / kSamples;
  off_t place = 0;
  char room[kReadBytes];
  while (HadEnough() != Enough::kUser) {
    const ssize_t got = large != 0 ? pread(fd.get(), room, sizeof(room), place)
                                   : read(fd.get(), room, sizeof(room));
    if (got == 0) return digester.Value();
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return SystemError(errno, fmt::format("cannot read {}", path));
    }
    digester.Add(
        std::as_bytes(std::span(room).first(static_cast<size_t>(got))));
    place += stride;
  }
  return GivenUp(fmt::format("{} was read", path));
}

OutputFile::OutputFile(std::string path, std::optional<Draft> draft, Fd fd)
    : path_(std::move(path)), draft_(std::move(draft)), fd_(std::move(fd)) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      draft_(std::exchange(other.draft_, std::nullopt)),
      fd_(std::move(other.fd_)) {}

OutputFile::~OutputFile() { Discard(); }

void OutputFile::Discard() {
  if (!draft_) return;
  unlinkat(draft_->directory.get(), draft_->name.c_str(), 0);
  draft_.reset();
}

Result<OutputFile> OutputFile::Create(const std::string& path) {
  Result<OutputPlace> place = FindOutputPlace(path);
  if (!place) return place.error();
  if (place->in_place) {
    return OutputFile(path, std::nullopt, std::move(place->in_place));
  }
  const std::filesystem::path directory =
      std::filesystem::path(place->file).parent_path();
  for (int i = 0; i < kMaxNames; ++i) {
    std::string draft = DraftOf(place->name);
    GuardedFile guarded((directory / draft).string());
    // New, and ours: whatever bears the name, a link above all, is left alone.
    Fd fd(openat(place->directory.get(), draft.c_str(),
                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                 place->mode.value_or(0666)));
    if (fd) {
      // Whoever could not read the old one does not read the new one.
      if (place->mode) fchmod(fd.get(), *place->mode);
      return OutputFile(path,
                        Draft{.directory = std::move(place->directory),
                              .name = std::move(draft),
                              .final_name = std::move(place->name),
                              .guarded = std::move(guarded)},
                        std::move(fd));
    }
    const int error = errno;
    guarded.Release();
    if (error != EEXIST) return CannotWrite(error, path);
  }
  return CannotWrite(EEXIST, path);
}

Status OutputFile::Write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(fd_.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) {
      if (!IsGivenUp()) continue;
      return GivenUp(fmt::format("{} was written", path_));
    }
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
    Discard();
    return CannotWrite(error, path_);
  }
  if (!draft_) return {};
  const int directory = draft_->directory.get();
  if (renameat(directory, draft_->name.c_str(), directory,
               draft_->final_name.c_str()) != 0) {
    const int error = errno;
    Discard();
    return CannotWrite(error, path_);
  }
  draft_.reset();
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
  if (failure) {
    return Error(ErrorCode::kEnvironment)
        .Say("cannot read /proc/self/exe: {}", failure.message())
        .Hint("fairlead needs the file system /proc: mount it");
  }
  return self.parent_path().string();
}

}  // namespace fairlead
