#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/random_number.h"
#include "store/sqlite_store.h"

namespace fairlead::store {
namespace {

namespace fs = std::filesystem;

std::string SqlQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char each : text) {
    quoted += each;
    if (each == '\'') quoted += each;
  }
  return quoted + "'";
}

}  // namespace

SqliteStore::FileNumber SqliteStore::FileAt(const std::string& path) {
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0) return {};
  return {.device = file.st_dev, .inode = file.st_ino};
}

Result<std::string> SqliteStore::PutBackIfRemoved() {
  const std::string& path = database_.path();
  const FileNumber now = FileAt(path);
  if (now == file_) return std::string();
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  const std::string draft =
      fmt::format("{}.{:016x}.part", path, RandomNumber());
  if (Status copied = database_.Execute("VACUUM INTO " + SqlQuoted(draft));
      !copied) {
    unlink(draft.c_str());
    return copied.error();
  }
  // A store that somebody has made there meanwhile is left alone.
  const bool free = now == FileNumber() || now == put_back_;
  const std::string place = free ? path : path + ".replaced";
  if (rename(draft.c_str(), place.c_str()) != 0) {
    const int why = errno;
    unlink(draft.c_str());
    return SystemError(why, fmt::format("cannot put back the store {}", place));
  }
  if (free) put_back_ = FileAt(place);
  return place;
}

}  // namespace fairlead::store
