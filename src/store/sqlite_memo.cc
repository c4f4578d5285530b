#include "store/sqlite_store.h"

namespace fairlead::store {
namespace {

// As a condition on a table's column `program`.
constexpr std::string_view kOfProgram =
    "program = (SELECT id FROM programs WHERE path = ?1)";

}  // namespace

Status SqliteStore::LoadMemoItems(const MemoKey& key, uint64_t input,
                                  MemoRows& memo) {
  Result<Query> items = database_.Prepare(
      fmt::format("SELECT item, exposures, attempts, input, predicted, "
                  "  attempts_here, flags FROM memo WHERE {} AND kind = ?2",
                  kOfProgram));
  if (!items) return items.error();
  items->Bind(key.program).Bind(key.kind);
  while (true) {
    const Result<bool> row = items->Next();
    if (!row) return row.error();
    if (!*row) return {};
    const bool here = items->Number("input") == input;
    memo.items.push_back(
        {.item = items->Text("item"),
         .exposures = items->Number("exposures"),
         .attempts = items->Number("attempts"),
         .predicted = here && items->Flag("predicted"),
         .attempts_here = here ? items->Number("attempts_here") : 0,
         .flags = items->Number("flags")});
  }
}

Status SqliteStore::LoadMemoPlaces(const MemoKey& key, MemoRows& memo) {
  Result<Query> places = database_.Prepare(
      fmt::format("SELECT anchor, file, line, position, function, library, "
                  "  is_update FROM memo_places WHERE {}",
                  kOfProgram));
  if (!places) return places.error();
  places->Bind(key.program);
  while (true) {
    const Result<bool> row = places->Next();
    if (!row) return row.error();
    if (!*row) return {};
    memo.places.push_back(
        {.anchor = places->Number("anchor"),
         .place = {.file = places->Text("file"),
                   .line = static_cast<uint32_t>(places->Number("line")),
                   .column = static_cast<uint32_t>(places->Number("position"))},
         .function = places->Text("function"),
         .library = places->Flag("library"),
         .update = places->Flag("is_update")});
  }
}

Status SqliteStore::LoadMemoGrowth(const MemoKey& key, MemoRows& memo) {
  Result<Query> growth = database_.Prepare(
      fmt::format("SELECT executions, nanoseconds, exposed FROM memo_growth "
                  "WHERE {} AND kind = ?2 ORDER BY executions",
                  kOfProgram));
  if (!growth) return growth.error();
  growth->Bind(key.program).Bind(key.kind);
  while (true) {
    const Result<bool> row = growth->Next();
    if (!row) return row.error();
    if (!*row) return {};
    memo.growth.push_back({.executions = growth->Number("executions"),
                           .nanoseconds = growth->Number("nanoseconds"),
                           .exposed = growth->Number("exposed")});
  }
}

Result<MemoRows> SqliteStore::LoadMemo(const MemoKey& key, uint64_t input) {
  MemoRows memo;
  if (Status done = LoadMemoItems(key, input, memo); !done) return done.error();
  if (Status done = LoadMemoPlaces(key, memo); !done) return done.error();
  if (Status done = LoadMemoGrowth(key, memo); !done) return done.error();
  return memo;
}

Status SqliteStore::AddToMemo(const MemoKey& key, uint64_t input,
                              const MemoRows& changes) {
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  const Result<std::string> id = ProgramRow(key.program);
  if (!id) return id.error();
  // Tens of thousands of rows, after the end of --time: preparing each would
  // take longer than writing it.
  Result<Query> put = database_.Prepare(
      "INSERT INTO memo (program, kind, item, exposures, attempts, input, "
      "  predicted, attempts_here, flags) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) "
      "ON CONFLICT DO UPDATE SET exposures = exposures + ?4, "
      "  attempts = attempts + ?5, input = ?6, predicted = ?7, "
      "  attempts_here = ?8, flags = flags | ?9");
  if (!put) return put.error();
  for (const MemoItemRow& row : changes.items) {
    put->Bind(*id).Bind(key.kind).Bind(row.item);
    put->Bind(row.exposures).Bind(row.attempts);
    put->Bind(input).Bind(row.predicted).Bind(row.attempts_here);
    if (Status done = put->Bind(row.flags).Run(); !done) return done;
  }
  put = database_.Prepare(
      "INSERT OR REPLACE INTO memo_places (program, anchor, file, line, "
      "  position, function, library, is_update) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  if (!put) return put.error();
  for (const MemoPlaceRow& row : changes.places) {
    put->Bind(*id).Bind(row.anchor).Bind(row.place.file);
    put->Bind(uint64_t{row.place.line}).Bind(uint64_t{row.place.column});
    put->Bind(row.function).Bind(row.library).Bind(row.update);
    if (Status done = put->Run(); !done) return done;
  }
  put = database_.Prepare(
      "INSERT OR REPLACE INTO memo_growth (program, kind, executions, "
      "  nanoseconds, exposed) VALUES (?, ?, ?, ?, ?)");
  if (!put) return put.error();
  for (const MemoGrowthRow& row : changes.growth) {
    put->Bind(*id).Bind(key.kind).Bind(row.executions).Bind(row.nanoseconds);
    if (Status done = put->Bind(row.exposed).Run(); !done) return done;
  }
  return transaction->Commit();
}

Result<uint64_t> SqliteStore::MainInput(const MemoKey& key) {
  Result<Query> query = database_.Prepare(
      fmt::format("SELECT input FROM memo WHERE {} AND kind = ?2 AND "
                  "predicted != 0 GROUP BY input ORDER BY count(*) DESC LIMIT "
                  "1",
                  kOfProgram));
  if (!query) return query.error();
  const Result<bool> row = query->Bind(key.program).Bind(key.kind).Next();
  if (!row) return row.error();
  return *row ? query->Number("input") : 0;
}

Status SqliteStore::ForgetMemo(const std::string& program,
                               const std::optional<std::string>& kind) {
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  // Places are of all kinds: they go with the last of them.
  const std::string statements[] = {
      fmt::format("DELETE FROM memo WHERE {} AND ?2 IN ('', kind)", kOfProgram),
      fmt::format("DELETE FROM memo_growth WHERE {} AND ?2 IN ('', kind)",
                  kOfProgram),
      fmt::format("DELETE FROM memo_places WHERE {} AND (?2 = '' OR NOT EXISTS "
                  "(SELECT 1 FROM memo m WHERE m.program = "
                  "memo_places.program))",
                  kOfProgram)};
  for (const std::string& statement : statements) {
    Result<Query> remove = database_.Prepare(statement);
    if (!remove) return remove.error();
    remove->Bind(program).Bind(kind.value_or(""));
    if (Status done = remove->Run(); !done) return done;
  }
  return transaction->Commit();
}

Result<std::vector<std::string>> SqliteStore::ProgramsWithMemo(
    const std::string& kind) {
  Result<Query> query = database_.Prepare(
      "SELECT DISTINCT p.path FROM programs p JOIN memo m ON m.program = p.id "
      "WHERE m.kind = ? ORDER BY p.path");
  if (!query) return query.error();
  query->Bind(kind);
  std::vector<std::string> programs;
  while (true) {
    const Result<bool> row = query->Next();
    if (!row) return row.error();
    if (!*row) return programs;
    programs.push_back(query->Text("path"));
  }
}

}  // namespace fairlead::store
