#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/text.h"
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

// The first campaign makes the directory of the store, and no other: a path
// that is not there is mistyped more often than it is meant. None in the root
// of the file system, where nobody keeps findings.
Status MakeDirectory(const fs::path& file) {
  std::error_code error;
  if (fs::is_symlink(file, error)) return {};  // where it leads is not ours
  const fs::path directory = file.parent_path();
  if (directory.empty() || fs::exists(directory, error)) return {};
  const fs::path above = directory.parent_path();
  const bool in_root = above.has_root_directory() && above == above.root_path();
  const fs::path& missing = in_root ? directory : above;
  if (!missing.empty() && !fs::exists(missing, error)) {
    return Error(ErrorCode::kNotFound)
        .Say("cannot make the store {}: there is no directory {}",
             file.string(), missing.string())
        .Hint("check the path, or make it: mkdir -p {}",
              ShellQuote(missing.string()));
  }
  fs::create_directory(directory, error);
  if (error) {
    return SystemError(
        error.value(),
        fmt::format("cannot make the directory {}", directory.string()));
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

// An empty file is no store yet, and nobody's work: whatever makes stores makes
// it one, and whatever only reads leaves it as it is.
enum class There { kNothing, kEmptyFile, kFile };

Result<There> WhatIsAt(const std::string& path) {
  struct stat what = {};
  if (stat(path.c_str(), &what) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return There::kNothing;
    return SystemError(errno, fmt::format("cannot open the store {}", path));
  }
  if (!S_ISREG(what.st_mode)) {
    return Error(ErrorCode::kMalformed)
        .Say("{} is {}, and no store of fairlead's", path,
             S_ISDIR(what.st_mode) ? "a directory" : "no regular file")
        .Hint("choose a file with --store");
  }
  // SQLite takes less than a page for an empty database, and writes over it.
  constexpr off_t kSmallestStore = 512;
  if (what.st_size != 0 && what.st_size < kSmallestStore) {
    return Error(ErrorCode::kMalformed)
        .Say("{} is no store of fairlead's: it has {}", path,
             Counted(static_cast<uint64_t>(what.st_size), "byte"))
        .Hint("choose a file with --store");
  }
  return what.st_size == 0 ? There::kEmptyFile : There::kFile;
}

Error NoStore(const std::string& path, There there) {
  return Error(ErrorCode::kNotFound)
      .Say("{}", there == There::kEmptyFile
                     ? fmt::format("{} is empty: no store yet", path)
                     : fmt::format("there is no store at {}", path))
      .Hint("fairlead test makes one; --store names another file");
}

// Where `path` leads, and the directory of that: files that SQLite puts beside
// the store are there.
fs::path DirectoryOf(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::absolute(path).parent_path() : whole.parent_path();
}

// Whether the store, and what SQLite puts beside it, can be written.
bool MayWrite(const std::string& path) {
  return access(path.c_str(), W_OK) == 0 &&
         access(DirectoryOf(path).c_str(), W_OK) == 0;
}

// A store can be made at `path`, where there is none; SQLite would not say why
// not.
Status AllowNewStore(const std::string& path) {
  if (Status made = MakeDirectory(path); !made) return made;
  const fs::path directory = DirectoryOf(path);
  const bool may = access(directory.c_str(), W_OK | X_OK) == 0 &&
                   (access(path.c_str(), W_OK) == 0 || errno == ENOENT);
  if (may) return {};
  return SystemError(errno, fmt::format("cannot make the store {}", path));
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

}  // namespace

Result<std::unique_ptr<Store>> OpenStoreToRead(const std::string& path) {
  Result<Database> database = Database::Open(path, Database::Mode::kReadOnly);
  if (!database) return database.error();
  const Result<bool> current = IsCurrent(*database);
  if (!current) return current.error();
  if (!*current) {
    // An older version: a copy in memory is brought up to date.
    Result<Database> copy = database->CopyToMemory();
    if (!copy) return copy.error();
    if (Status done = Migrate(*copy); !done) return done.error();
    if (Status done = copy->Execute("PRAGMA query_only = ON"); !done) {
      return done.error();
    }
    return std::unique_ptr<Store>(
        std::make_unique<SqliteStore>(*std::move(copy), SystemNow));
  }
  return std::unique_ptr<Store>(
      std::make_unique<SqliteStore>(*std::move(database), SystemNow));
}

Result<std::unique_ptr<Store>> OpenStore(const std::string& path,
                                         IfMissing if_missing) {
  const Result<There> there = WhatIsAt(path);
  if (!there) return there.error();
  if (*there != There::kFile && if_missing == IfMissing::kFail) {
    return NoStore(path, *there);
  }
  if (*there != There::kFile) {
    if (Status may = AllowNewStore(path); !may) return may.error();
  } else if (!MayWrite(path)) {
    return OpenStoreToRead(path);
  }
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
