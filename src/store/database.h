// store/database.h
//
// A SQLite database with errors that say what to do. The only place that knows
// sqlite3.h.

#ifndef FAIRLEAD_STORE_DATABASE_H_
#define FAIRLEAD_STORE_DATABASE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace fairlead::store {

// A statement with its parameters bound, and the row it stands on.
class Query {
 public:
  Query(Query&&) noexcept = default;
  Query& operator=(Query&&) noexcept = default;

  // Parameters are numbered from 1 and bound in order by these.
  Query& Bind(std::string_view text);
  Query& Bind(uint64_t number);
  Query& Bind(bool flag) { return Bind(uint64_t{flag}); }
  Query& BindBlob(std::string_view bytes);
  Query& BindNull();

  // Goes to the next row. False: there is none.
  Result<bool> Next();
  // For statements without rows. May be bound and run again.
  Status Run();

  // What the row has in the column of that name, as the statement calls it;
  // null is "" or 0. Asking for one that the statement does not give is a bug.
  std::string Text(std::string_view column) const;
  uint64_t Number(std::string_view column) const;
  bool Flag(std::string_view column) const { return Number(column) != 0; }
  bool IsNull(std::string_view column) const;

 private:
  friend class Database;
  struct Closer {
    void operator()(sqlite3_stmt* statement) const;
  };
  Query(sqlite3* database, const std::string* path, sqlite3_stmt* statement)
      : database_(database), path_(path), statement_(statement) {}

  int IndexOf(std::string_view column) const;

  sqlite3* database_;
  const std::string* path_;
  std::unique_ptr<sqlite3_stmt, Closer> statement_;
  int num_bound_ = 0;
  mutable std::vector<std::string>
      columns_;  // names; read when first asked for
};

class Database {
 public:
  // kReadOnly: also where nothing can be written at all, not even the files
  // that SQLite keeps beside the database while it reads.
  enum class Mode { kReadOnly, kReadWrite, kCreate };
  static Result<Database> Open(const std::string& path, Mode mode);
  Database(Database&&) noexcept = default;

  // `sql` is ours and right: a mistake in it is a bug. The database may still
  // be damaged, or be another one.
  Result<Query> Prepare(std::string_view sql);

  // Statements without parameters and rows, one after the other.
  Status Execute(const std::string& sql);

  // All of it, in memory only, under the same path for messages.
  Result<Database> CopyToMemory() const;

  const std::string& path() const { return *path_; }

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  Database(sqlite3* database, const std::string& path)
      : database_(database), path_(std::make_unique<std::string>(path)) {}

  std::unique_ptr<sqlite3, Closer> database_;
  std::unique_ptr<std::string> path_;  // its address stays when this moves
};

// From the beginning to `Commit`; undone without it.
class Transaction {
 public:
  static Result<Transaction> Begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(other.database_) {
    other.database_ = nullptr;
  }
  ~Transaction();
  Status Commit();

 private:
  explicit Transaction(Database* database) : database_(database) {}
  Database* database_;  // null = over
};

}  // namespace fairlead::store

#endif  // FAIRLEAD_STORE_DATABASE_H_
