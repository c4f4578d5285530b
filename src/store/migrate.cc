#include "store/migrate.h"

#include <string>

namespace fairlead::store {
namespace {

// "FLED": tells our files from other SQLite databases.
constexpr uint64_t kApplicationId = 0x464c4544;

Result<uint64_t> Pragma(Database& database, std::string_view name) {
  Result<Query> query = database.Prepare(fmt::format("PRAGMA {}", name));
  if (!query) return query.error();
  if (const Result<bool> row = query->Next(); !row) return row.error();
  return query->Number(name);
}

}  // namespace

Result<bool> IsEmpty(Database& database) {
  Result<Query> query =
      database.Prepare("SELECT count(*) AS tables FROM sqlite_schema");
  if (!query) return query.error();
  if (const Result<bool> row = query->Next(); !row) return row.error();
  return query->Number("tables") == 0;
}

Result<bool> IsCurrent(Database& database) {
  const Result<uint64_t> application = Pragma(database, "application_id");
  if (!application) return application.error();
  const Result<uint64_t> version = Pragma(database, "user_version");
  if (!version) return version.error();
  const Result<bool> empty = IsEmpty(database);
  if (!empty) return empty.error();
  if (*application != kApplicationId && !*empty) {
    return Error(ErrorCode::kMalformed)
        .Say("{} is a database, but no store of fairlead's", database.path())
        .Hint("choose another file with --store");
  }
  if (*version > Migrations().size()) {
    return Error(ErrorCode::kTooNew)
        .Say("the store {} is of version {}; this build reads up to {}",
             database.path(), *version, Migrations().size())
        .Hint("use the version of fairlead that wrote it, or another --store");
  }
  return *version == Migrations().size();
}

Status Migrate(Database& database) {
  const Result<bool> current = IsCurrent(database);
  if (!current) return current.error();
  if (*current) return {};
  Result<Transaction> transaction = Transaction::Begin(database);
  if (!transaction) return transaction.error();
  // Somebody else may have done it meanwhile.
  const Result<uint64_t> version = Pragma(database, "user_version");
  if (!version) return version.error();
  for (size_t i = *version; i < Migrations().size(); ++i) {
    if (Status done = database.Execute(std::string(Migrations()[i])); !done) {
      return done;
    }
  }
  if (Status done = database.Execute(
          fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                      kApplicationId, Migrations().size()));
      !done) {
    return done;
  }
  return transaction->Commit();
}

}  // namespace fairlead::store
