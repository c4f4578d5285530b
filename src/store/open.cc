#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "store/migrate.h"
#include "store/sqlite_store.h"

namespace fairlead::store {
namespace {

namespace fs = std::filesystem;

uint64_t SystemNow() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::system_clock::now().time_since_epoch())
          .count());
}

// Directories on the way are made by the first campaign.
Status MakeDirectories(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error && !file.parent_path().empty()) {
    return SystemError(error.value(),
                       fmt::format("cannot make the directory {}",
                                   file.parent_path().string()));
  }
  return {};
}

// The directory that holds the store's own, e.g. the project.
fs::path Root(const std::string& store_path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(store_path), error)
      .parent_path()
      .parent_path();
}

// Whether the store, and what SQLite puts beside it, can be written. A store
// that is not there yet can, as far as this is concerned.
bool MayWrite(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0) return true;
  const fs::path directory = fs::path(path).parent_path();
  return access(path.c_str(), W_OK) == 0 &&
         access(directory.empty() ? "." : directory.c_str(), W_OK) == 0;
}

// Readers and a writer do not wait for each other; what is committed stays
// after a kill, and may be lost only with the machine's power. The disk is
// waited for only where that is needed, since a campaign's time goes on: never
// for an empty store, which has nothing to lose, and else when the log is
// folded into the store, as when it is closed.
Status Prepare(Database& database) {
  // Read before anything is written: a file of somebody else stays as it is.
  const Result<bool> current = IsCurrent(database);
  if (!current) return current.error();
  const Result<bool> empty = IsEmpty(database);
  if (!empty) return empty.error();
  if (Status done = database.Execute(fmt::format("PRAGMA synchronous = {};"
                                                 "PRAGMA journal_mode = WAL;"
                                                 "PRAGMA synchronous = NORMAL;"
                                                 "PRAGMA foreign_keys = ON",
                                                 *empty ? "OFF" : "NORMAL"));
      !done) {
    return done;
  }
  return Migrate(database);
}

// A store of somebody else's, or on a medium that cannot be written: all that
// reads works, and whatever writes is told so.
Result<std::unique_ptr<Store>> OpenToRead(const std::string& path) {
  Result<Database> database = Database::Open(path, Database::Mode::kReadOnly);
  if (!database) return database.error();
  const Result<bool> current = IsCurrent(*database);
  if (!current) return current.error();
  if (!*current) {
    return Error(ErrorCode::kPermission)
        .Say("the store {} is of an older version, and may only be read", path)
        .Hint("copy it to where it can be written, and name that with --store");
  }
  return std::unique_ptr<Store>(
      std::make_unique<SqliteStore>(*std::move(database), SystemNow));
}

}  // namespace

Result<std::unique_ptr<Store>> OpenStore(const std::string& path,
                                         IfMissing if_missing) {
  if (access(path.c_str(), F_OK) != 0) {
    if (if_missing == IfMissing::kFail) {
      return Error(ErrorCode::kNotFound)
          .Say("there is no store at {}", path)
          .Hint("fairlead test makes one; --store names another file");
    }
    if (Status made = MakeDirectories(path); !made) return made.error();
  }
  if (!MayWrite(path)) return OpenToRead(path);
  Result<Database> database = Database::Open(path, Database::Mode::kCreate);
  if (!database) return database.error();
  if (Status done = Prepare(*database); !done) return done.error();
  return std::unique_ptr<Store>(
      std::make_unique<SqliteStore>(*std::move(database), SystemNow));
}

std::string ProgramName(const std::string& program_path,
                        const std::string& store_path) {
  const fs::path relative =
      fs::path(program_path).lexically_relative(Root(store_path));
  if (relative.empty() || *relative.begin() == "..") return program_path;
  return relative.string();
}

std::string ProgramPath(const std::string& name,
                        const std::string& store_path) {
  return (Root(store_path) / name).string();  // an absolute name stays
}

}  // namespace fairlead::store
