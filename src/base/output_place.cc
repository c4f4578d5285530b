#include "base/output_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/text.h"

namespace fairlead {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;  // as in the kernel

fs::path DirectoryOf(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

// A place as it is told of: what the user has named, and where that leads.
std::string Named(const std::string& path, const std::string& file) {
  return path == file ? path : fmt::format("{} (a link to {})", path, file);
}

Error CannotWrite(int number, const std::string& path,
                  const std::string& file) {
  return SystemError(number, fmt::format("cannot write {}", Named(path, file)));
}

// The number of the descriptor of ours that `path` stands for, if it is one.
std::optional<int> OwnDescriptor(const fs::path& path) {
  const auto number = ParseNumber(path.filename().string());
  if (!number || *number > 1u << 30) return {};
  std::error_code error;
  const fs::path own = fs::canonical("/proc/self/fd", error);
  if (error || fs::canonical(DirectoryOf(path), error) != own || error) {
    return {};
  }
  return static_cast<int>(*number);
}

// Whether somebody else may have put the link there for us to fall over.
bool IsTrusted(const struct stat& link, const fs::path& directory) {
  struct stat where;
  if (stat(directory.c_str(), &where) != 0) return false;
  const bool shared =
      (where.st_mode & S_ISVTX) != 0 && (where.st_mode & S_IWOTH) != 0;
  return !shared || link.st_uid == geteuid() || link.st_uid == where.st_uid;
}

// `path` with links in its last part followed, up to one of our descriptors.
Result<std::string> FollowLinks(const std::string& path) {
  fs::path here = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    struct stat what;
    if (lstat(here.c_str(), &what) != 0 || !S_ISLNK(what.st_mode) ||
        OwnDescriptor(here)) {
      return here.string();
    }
    const fs::path directory = DirectoryOf(here);
    if (!IsTrusted(what, directory)) {
      return Error(ErrorCode::kPermission)
          .Say(
              "cannot write {}: {} is somebody else's link, in a directory "
              "that all may write",
              path, here.string())
          .Hint("name a file in a directory of yours");
    }
    std::error_code error;
    const fs::path target = fs::read_symlink(here, error);
    if (error) return CannotWrite(error.value(), path, here);
    here = target.is_absolute() ? target : here.parent_path() / target;
  }
  return SystemError(ELOOP, fmt::format("cannot write {}", path));
}

// Opens a device or a pipe, without waiting for its other end.
Result<Fd> OpenSpecial(const std::string& path, const std::string& file,
                       mode_t mode) {
  Fd fd(open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd && errno == ENXIO && S_ISFIFO(mode)) {
    return Error(ErrorCode::kEnvironment)
        .Say("cannot write {}: it is a pipe that nobody reads",
             Named(path, file))
        .Hint("start its reader first, or name a file");
  }
  if (!fd && errno == ENXIO && S_ISSOCK(mode)) {
    return Error(ErrorCode::kEnvironment)
        .Say("cannot write {}: it is a socket", Named(path, file))
        .Hint("name a file");
  }
  if (!fd) return CannotWrite(errno, path, file);
  // Only the opening was not to wait.
  fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
  return fd;
}

// A name in a directory; `exists` if there is a file of that name.
Result<OutputPlace> NameInDirectory(const std::string& path,
                                    const std::string& file, bool exists,
                                    mode_t mode) {
  OutputPlace place;
  place.file = file;
  place.name = fs::path(file).filename().string();
  const fs::path directory = DirectoryOf(file);
  place.directory =
      Fd(open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!place.directory) return CannotWrite(errno, path, file);
  if (place.name.empty()) return CannotWrite(EISDIR, path, file);
  // Replacing a file needs no right to write it; its owner's word counts.
  if (exists) {
    if (faccessat(place.directory.get(), place.name.c_str(), W_OK,
                  AT_EACCESS) != 0 &&
        errno != ENOENT) {
      return CannotWrite(errno, path, file);
    }
    place.mode = mode & 0777;
  }
  return place;
}

}  // namespace

Result<OutputPlace> FindOutputPlace(const std::string& path) {
  const Result<std::string> file = FollowLinks(path);
  if (!file) return file.error();
  OutputPlace place;
  if (const auto number = OwnDescriptor(*file)) {
    place.in_place = Fd(fcntl(*number, F_DUPFD_CLOEXEC, 3));
    if (!place.in_place) return CannotWrite(errno, path, path);
    return place;
  }
  struct stat what = {};
  const bool exists = stat(file->c_str(), &what) == 0;
  if (!exists && errno != ENOENT) return CannotWrite(errno, path, *file);
  if (!exists || S_ISREG(what.st_mode)) {
    return NameInDirectory(path, *file, exists, what.st_mode);
  }
  Result<Fd> special = OpenSpecial(path, *file, what.st_mode);
  if (!special) return special.error();
  // Somebody may have put a file there meanwhile: that is not overwritten.
  if (fstat(special->get(), &what) != 0 || S_ISREG(what.st_mode)) {
    return NameInDirectory(path, *file, true, what.st_mode);
  }
  place.in_place = *std::move(special);
  return place;
}

}  // namespace fairlead
