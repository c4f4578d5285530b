#include "store/sqlite_store.h"

namespace fairlead::store {

Result<MemoRows> SqliteStore::LoadMemo(const std::string& program,
                                       uint64_t input) {
  MemoRows memo;
  Result<Query> roots = database_.Prepare(
      "SELECT root, exposures, attempts, input, predicted, attempts_here, "
      "flags "
      "FROM iroots JOIN programs p ON p.id = program WHERE p.path = ?");
  if (!roots) return roots.error();
  roots->Bind(program);
  while (true) {
    const Result<bool> row = roots->Next();
    if (!row) return row.error();
    if (!*row) break;
    const bool here = roots->Number(3) == input;
    memo.roots.push_back({.root = roots->Text(0),
                          .exposures = roots->Number(1),
                          .attempts = roots->Number(2),
                          .predicted = here && roots->Number(4) != 0,
                          .attempts_here = here ? roots->Number(5) : 0,
                          .flags = roots->Number(6)});
  }
  Result<Query> places = database_.Prepare(
      "SELECT anchor, file, line, position, function, library, is_update "
      "FROM iroot_places JOIN programs p ON p.id = program WHERE p.path = ?");
  if (!places) return places.error();
  places->Bind(program);
  while (true) {
    const Result<bool> row = places->Next();
    if (!row) return row.error();
    if (!*row) break;
    memo.places.push_back(
        {.anchor = places->Number(0),
         .place = {.file = places->Text(1),
                   .line = static_cast<uint32_t>(places->Number(2)),
                   .column = static_cast<uint32_t>(places->Number(3))},
         .function = places->Text(4),
         .library = places->Number(5) != 0,
         .update = places->Number(6) != 0});
  }
  Result<Query> growth = database_.Prepare(
      "SELECT executions, nanoseconds, exposed FROM iroot_growth "
      "JOIN programs p ON p.id = program WHERE p.path = ? ORDER BY executions");
  if (!growth) return growth.error();
  growth->Bind(program);
  while (true) {
    const Result<bool> row = growth->Next();
    if (!row) return row.error();
    if (!*row) return memo;
    memo.growth.push_back(
        {growth->Number(0), growth->Number(1), growth->Number(2)});
  }
}

Status SqliteStore::AddToMemo(const std::string& program, uint64_t input,
                              const MemoRows& changes) {
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  const Result<std::string> id = ProgramRow(program);
  if (!id) return id.error();
  // Tens of thousands of rows, behind the end of --time: preparing each would
  // take longer than writing it.
  Result<Query> put = database_.Prepare(
      "INSERT INTO iroots VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
      "ON CONFLICT DO UPDATE SET exposures = exposures + ?3, "
      "  attempts = attempts + ?4, input = ?5, predicted = ?6, "
      "  attempts_here = ?7, flags = flags | ?8");
  if (!put) return put.error();
  for (const IRootRow& row : changes.roots) {
    put->Bind(*id).Bind(row.root).Bind(row.exposures).Bind(row.attempts);
    put->Bind(input).Bind(row.predicted).Bind(row.attempts_here);
    if (Status done = put->Bind(row.flags).Run(); !done) return done;
  }
  put = database_.Prepare(
      "INSERT OR REPLACE INTO iroot_places VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  if (!put) return put.error();
  for (const IRootPlaceRow& row : changes.places) {
    put->Bind(*id).Bind(row.anchor).Bind(row.place.file);
    put->Bind(uint64_t{row.place.line}).Bind(uint64_t{row.place.column});
    put->Bind(row.function).Bind(row.library).Bind(row.update);
    if (Status done = put->Run(); !done) return done;
  }
  put = database_.Prepare(
      "INSERT OR REPLACE INTO iroot_growth VALUES (?, ?, ?, ?)");
  if (!put) return put.error();
  for (const IRootGrowthRow& row : changes.growth) {
    put->Bind(*id).Bind(row.executions).Bind(row.nanoseconds);
    if (Status done = put->Bind(row.exposed).Run(); !done) return done;
  }
  return transaction->Commit();
}

Result<uint64_t> SqliteStore::MainInput(const std::string& program) {
  Result<Query> query = database_.Prepare(
      "SELECT input FROM iroots JOIN programs p ON p.id = program "
      "WHERE p.path = ? AND predicted != 0 GROUP BY input "
      "ORDER BY count(*) DESC LIMIT 1");
  if (!query) return query.error();
  const Result<bool> row = query->Bind(program).Next();
  if (!row) return row.error();
  return *row ? query->Number(0) : 0;
}

Status SqliteStore::ForgetMemo(const std::string& program) {
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  for (const char* statement :
       {"DELETE FROM iroots WHERE program = (SELECT id FROM programs WHERE "
        "path = ?)",
        "DELETE FROM iroot_places WHERE program = (SELECT id FROM programs "
        "WHERE path = ?)",
        "DELETE FROM iroot_growth WHERE program = (SELECT id FROM programs "
        "WHERE path = ?)"}) {
    Result<Query> remove = database_.Prepare(statement);
    if (!remove) return remove.error();
    if (Status done = remove->Bind(program).Run(); !done) return done;
  }
  return transaction->Commit();
}

Result<std::vector<std::string>> SqliteStore::ProgramsWithMemo() {
  Result<Query> query = database_.Prepare(
      "SELECT DISTINCT p.path FROM programs p JOIN iroots i ON i.program = "
      "p.id "
      "ORDER BY p.path");
  if (!query) return query.error();
  std::vector<std::string> programs;
  while (true) {
    const Result<bool> row = query->Next();
    if (!row) return row.error();
    if (!*row) return programs;
    programs.push_back(query->Text(0));
  }
}

}  // namespace fairlead::store
