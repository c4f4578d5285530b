#include "explore/run/fresh_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/file.h"
#include "base/patience.h"

namespace fairlead::explore {
namespace {

namespace fs = std::filesystem;

// Times of files are those of the last tick of the kernel, at most this long
// ago: a change in the same tick as a copy cannot be told from it.
constexpr std::chrono::milliseconds kTick(10);
// Rather than copy this much again, a tick is waited for.
constexpr uint64_t kWorthATick = 1 << 20;

bool SameTime(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool Unchanged(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mode == b.st_mode && SameTime(a.st_ctim, b.st_ctim);
}

std::string Join(const std::string& directory, const std::string& inside) {
  return inside.empty() ? directory : directory + "/" + inside;
}

bool IsUnder(const std::string& path, const std::string& directory) {
  return !directory.empty() &&
         (path == directory || path.starts_with(directory + "/"));
}

Status CopyBytes(const Fd& from, const Fd& to, const std::string& name) {
  if (ioctl(to.get(), FICLONE, from.get()) == 0) return {};
  while (true) {
    const ssize_t put =
        copy_file_range(from.get(), nullptr, to.get(), nullptr, 1 << 26, 0);
    if (put == 0) return {};
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) break;
    if (ShouldStop()) return Error(ErrorCode::kInterrupted).Say("stopped");
  }
  // Between some file systems the kernel does not copy by itself.
  std::string room(1 << 20, '\0');
  while (true) {
    const ssize_t got = read(from.get(), room.data(), room.size());
    if (got == 0) return {};
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(errno, fmt::format("cannot read {}", name));
    for (ssize_t done = 0; done < got;) {
      const ssize_t put =
          write(to.get(), room.data() + done, static_cast<size_t>(got - done));
      if (put < 0 && errno != EINTR) {
        return SystemError(errno, fmt::format("cannot copy {}", name));
      }
      if (put > 0) done += put;
    }
  }
}

// Whatever it is, and even if its directories were closed to us.
Status RemoveAll(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (!error) return {};
  std::error_code ignored;
  for (fs::recursive_directory_iterator it(path, ignored), end; it != end;
       it.increment(ignored)) {
    if (!it->is_symlink(ignored) && it->is_directory(ignored)) {
      fs::permissions(it->path(), fs::perms::owner_all, ignored);
    }
  }
  fs::permissions(path, fs::perms::owner_all, ignored);
  fs::remove_all(path, error);
  if (!error) return {};
  return SystemError(error.value(), fmt::format("cannot remove {}", path));
}

}  // namespace

Result<FreshDirectory> FreshDirectory::Create(const std::string& source,
                                              const std::string& scratch,
                                              const std::string& without) {
  std::string path = scratch + "/XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    return SystemError(errno,
                       fmt::format("cannot make a directory in {}", scratch));
  }
  return FreshDirectory(source, scratch, without, std::move(path));
}

FreshDirectory::FreshDirectory(FreshDirectory&& other) noexcept
    : source_(std::move(other.source_)),
      scratch_(std::move(other.scratch_)),
      without_(std::move(other.without_)),
      path_(std::exchange(other.path_, "")),
      copied_(std::move(other.copied_)) {}

FreshDirectory::~FreshDirectory() {
  if (!path_.empty()) (void)RemoveAll(path_);
}

Status FreshDirectory::Renew() {
  num_files_ = num_bytes_ = num_new_bytes_ = 0;
  if (Status renewed = RenewDirectory(""); !renewed) return renewed;
  if (num_new_bytes_ >= kWorthATick) {
    std::this_thread::sleep_for(kTick);
  } else {
    ForgetHasty();
  }
  return {};
}

// What was copied in this tick may change without our noticing.
void FreshDirectory::ForgetHasty() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  std::erase_if(copied_, [&](const auto& each) {
    return SameTime(each.second.to.st_ctim, now);
  });
}

bool FreshDirectory::IsAsItWas(const std::string& inside,
                               const struct stat& from) const {
  const auto known = copied_.find(inside);
  if (known == copied_.end() || !Unchanged(known->second.from, from)) {
    return false;
  }
  struct stat to = {};
  return lstat(Join(path_, inside).c_str(), &to) == 0 &&
         Unchanged(known->second.to, to);
}

Status FreshDirectory::RemoveForeign(const std::string& inside) {
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(Join(path_, inside), error)) {
    const std::string name = entry.path().filename().string();
    const std::string there =
        Join(source_, inside.empty() ? name : inside + "/" + name);
    struct stat from = {};
    if (lstat(there.c_str(), &from) == 0) continue;
    if (Status gone = RemoveAll(entry.path().string()); !gone) return gone;
  }
  return {};
}

Status FreshDirectory::RenewDirectory(const std::string& inside) {
  if (Status removed = RemoveForeign(inside); !removed) return removed;
  std::error_code error;
  const std::string from = Join(source_, inside);
  for (const fs::directory_entry& entry : fs::directory_iterator(from, error)) {
    const std::string path = entry.path().string();
    if (IsUnder(path, scratch_) || IsUnder(path, without_)) continue;
    if (ShouldStop()) return Error(ErrorCode::kInterrupted).Say("stopped");
    const std::string name = entry.path().filename().string();
    if (Status done = RenewEntry(inside.empty() ? name : inside + "/" + name);
        !done) {
      return done;
    }
  }
  if (error) {
    return SystemError(error.value(), fmt::format("cannot read {}", from));
  }
  return {};
}

Status FreshDirectory::RenewEntry(const std::string& inside) {
  struct stat from = {};
  // Gone since it was listed.
  if (lstat(Join(source_, inside).c_str(), &from) != 0) return {};
  const std::string to = Join(path_, inside);
  if (S_ISDIR(from.st_mode)) {
    struct stat there = {};
    const bool known = lstat(to.c_str(), &there) == 0 && S_ISDIR(there.st_mode);
    if (!known) {
      if (Status gone = RemoveAll(to); !gone) return gone;
      if (mkdir(to.c_str(), 0700) != 0) {
        return SystemError(errno, fmt::format("cannot make {}", to));
      }
    }
    // Open to us until it is filled.
    chmod(to.c_str(), from.st_mode | S_IRWXU);
    const Status filled = RenewDirectory(inside);
    chmod(to.c_str(), from.st_mode & 07777);
    return filled;
  }
  num_bytes_ += S_ISREG(from.st_mode) ? static_cast<uint64_t>(from.st_size) : 0;
  if (++num_files_ > kMaxFiles || num_bytes_ > kMaxBytes) {
    return Error(ErrorCode::kUsage)
        .Say("{} holds too much to be copied for each execution", source_)
        .Hint(
            "run fairlead in a directory with what the program needs, or "
            "put things right with --before");
  }
  return IsAsItWas(inside, from) ? Status() : CopyOver(inside, from);
}

Status FreshDirectory::CopyOver(const std::string& inside,
                                const struct stat& from) {
  const std::string source = Join(source_, inside);
  const std::string path = Join(path_, inside);
  copied_.erase(inside);
  if (Status gone = RemoveAll(path); !gone) return gone;
  if (S_ISLNK(from.st_mode)) {
    std::error_code error;
    fs::copy_symlink(source, path, error);
    if (!error) return {};
    return SystemError(error.value(), fmt::format("cannot copy {}", source));
  }
  if (S_ISFIFO(from.st_mode)) {
    mkfifo(path.c_str(), from.st_mode & 07777);
    return {};
  }
  if (!S_ISREG(from.st_mode)) return {};
  const Fd in(open(source.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  // Not for us to read, so not for the program.
  if (!in && errno == EACCES) return {};
  if (!in) return SystemError(errno, fmt::format("cannot read {}", source));
  const Fd out(open(path.c_str(),
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                    0600));
  if (!out) return SystemError(errno, fmt::format("cannot make {}", path));
  if (Status copied = CopyBytes(in, out, source); !copied) return copied;
  const timespec times[] = {from.st_atim, from.st_mtim};
  futimens(out.get(), times);
  fchmod(out.get(), from.st_mode & 07777);
  Copied entry = {.from = from, .to = {}};
  if (fstat(out.get(), &entry.to) == 0) copied_[inside] = entry;
  num_new_bytes_ += static_cast<uint64_t>(from.st_size);
  return {};
}

}  // namespace fairlead::explore
