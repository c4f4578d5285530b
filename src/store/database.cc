#include "store/database.h"

#include <ctype.h>
#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/check.h"

namespace fairlead::store {
namespace {

// How long a verb waits for another process that writes. Transactions take
// milliseconds; a disk that is asleep may take seconds.
constexpr int kBusyTimeoutMs = 10'000;

Error ErrorOf(sqlite3* database, const std::string& path) {
  const int code = sqlite3_errcode(database) & 0xff;
  const std::string what = sqlite3_errmsg(database);
  switch (code) {
    case SQLITE_FULL:
      return Error(ErrorCode::kNoSpace)
          .Say("cannot write to the store {}: no space left", path)
          .Hint("free some space, or use --store on another disk");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Error(ErrorCode::kEnvironment)
          .Say("the store {} is in use by another process for too long", path)
          .Hint("wait for it, or use another --store");
    case SQLITE_NOTADB:
      return Error(ErrorCode::kMalformed)
          .Say("{} is no store of fairlead's", path)
          .Hint("choose another file with --store");
    case SQLITE_CORRUPT:
      return Error(ErrorCode::kCorrupt)
          .Say("the store {} is damaged", path)
          .Hint("move it away; a new one is made by the next campaign");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return Error(ErrorCode::kPermission)
          .Say("cannot write to the store {}: it may only be read", path)
          .Hint("choose a file you may write with --store");
    case SQLITE_CANTOPEN: {
      const int number = sqlite3_system_errno(database);
      return SystemError(number != 0 ? number : ENOENT,
                         fmt::format("cannot open the store {}", path));
    }
    case SQLITE_IOERR: {
      const int number = sqlite3_system_errno(database);
      if (number == ENOSPC || number == EDQUOT) {
        return Error(ErrorCode::kNoSpace)
            .Say("cannot write to the store {}: {}", path, strerror(number))
            .Hint("free some space, or use --store on another disk");
      }
      return SystemError(number != 0 ? number : EIO,
                         fmt::format("cannot use the store {}", path));
    }
    default:
      return Error(ErrorCode::kEnvironment)
          .Say("the store {} does not do what it should: {}", path, what);
  }
}

// A database that was closed well is one file, and can be read as such. One
// that somebody is writing has a log beside it, with what is newest, and needs
// the files that belong to that.
std::string ReadOnlyUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool plain = isalnum(static_cast<unsigned char>(c)) != 0 ||
                       c == '/' || c == '.' || c == '-' || c == '_';
    uri += plain ? std::string(1, c)
                 : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  struct stat log;
  const bool has_log =
      stat((path + "-wal").c_str(), &log) == 0 && log.st_size != 0;
  return uri + (has_log ? "?mode=ro" : "?immutable=1");
}

}  // namespace

void Query::Closer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}
void Database::Closer::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

Query& Query::Bind(std::string_view text) {
  sqlite3_bind_text(statement_.get(), ++num_bound_, text.data(),
                    static_cast<int>(text.size()), SQLITE_TRANSIENT);
  return *this;
}

Query& Query::Bind(uint64_t number) {
  sqlite3_bind_int64(statement_.get(), ++num_bound_,
                     static_cast<sqlite3_int64>(number));
  return *this;
}

Query& Query::BindBlob(std::string_view bytes) {
  sqlite3_bind_blob(statement_.get(), ++num_bound_, bytes.data(),
                    static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
  return *this;
}

Query& Query::BindNull() {
  sqlite3_bind_null(statement_.get(), ++num_bound_);
  return *this;
}

Result<bool> Query::Next() {
  FL_CHECK(num_bound_ == sqlite3_bind_parameter_count(statement_.get()),
           "parameters of {}", sqlite3_sql(statement_.get()));
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      return ErrorOf(database_, *path_);
  }
}

Status Query::Run() {
  const Result<bool> row = Next();
  if (!row) return row.error();
  sqlite3_reset(statement_.get());
  num_bound_ = 0;
  return {};
}

// Rows have a few dozen columns at most, so that looking them up costs less
// than reading one.
int Query::IndexOf(std::string_view column) const {
  sqlite3_stmt* statement = statement_.get();
  if (columns_.empty()) {
    const int num_columns = sqlite3_column_count(statement);
    for (int i = 0; i < num_columns; ++i) {
      columns_.emplace_back(sqlite3_column_name(statement, i));
    }
  }
  const auto found = std::ranges::find(columns_, column);
  FL_CHECK(found != columns_.end(), "column {} of {}", column,
           sqlite3_sql(statement));
  return static_cast<int>(found - columns_.begin());
}

std::string Query::Text(std::string_view column) const {
  const int index = IndexOf(column);
  const void* bytes = sqlite3_column_blob(statement_.get(), index);
  const int size = sqlite3_column_bytes(statement_.get(), index);
  if (bytes == nullptr) return "";
  return std::string(static_cast<const char*>(bytes),
                     static_cast<size_t>(size));
}

uint64_t Query::Number(std::string_view column) const {
  return static_cast<uint64_t>(
      sqlite3_column_int64(statement_.get(), IndexOf(column)));
}

bool Query::IsNull(std::string_view column) const {
  return sqlite3_column_type(statement_.get(), IndexOf(column)) == SQLITE_NULL;
}

Result<Database> Database::Open(const std::string& path, Mode mode) {
  sqlite3* handle = nullptr;
  int flags = SQLITE_OPEN_NOMUTEX;
  flags |= mode == Mode::kReadOnly ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                                   : SQLITE_OPEN_READWRITE;
  if (mode == Mode::kCreate) flags |= SQLITE_OPEN_CREATE;
  const std::string name = mode == Mode::kReadOnly ? ReadOnlyUri(path) : path;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  Database database(handle, path);
  if (code != SQLITE_OK) return ErrorOf(handle, path);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  return database;
}

Result<Database> Database::CopyToMemory() const {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open_v2(
      ":memory:", &handle,
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
      nullptr);
  Database copy(handle, *path_);
  if (opened != SQLITE_OK) return ErrorOf(handle, *path_);
  sqlite3_backup* backup =
      sqlite3_backup_init(handle, "main", database_.get(), "main");
  if (backup == nullptr) return ErrorOf(handle, *path_);
  sqlite3_backup_step(backup, -1);
  if (sqlite3_backup_finish(backup) != SQLITE_OK) {
    return ErrorOf(handle, *path_);
  }
  return copy;
}

Result<Query> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(database_.get(), sql.data(),
                         static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return ErrorOf(database_.get(), *path_);
  return Query(database_.get(), path_.get(), statement);
}

Status Database::Execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) !=
      SQLITE_OK) {
    return ErrorOf(database_.get(), *path_);
  }
  return {};
}

Result<Transaction> Transaction::Begin(Database& database) {
  // Immediate: whoever comes second waits here, and not in the middle.
  if (Status begun = database.Execute("BEGIN IMMEDIATE"); !begun) {
    return begun.error();
  }
  return Transaction(&database);
}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // Fails when the error has undone it already.
  const Status undone = database_->Execute("ROLLBACK");
  static_cast<void>(undone);
}

Status Transaction::Commit() {
  if (Status done = database_->Execute("COMMIT"); !done) return done;
  database_ = nullptr;
  return {};
}

}  // namespace fairlead::store
