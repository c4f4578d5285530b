#include "base/json.h"
#include "store/sqlite_store.h"

namespace fairlead::store {
namespace {

using fact::Fact;

std::string WordsJson(const std::vector<std::string>& words) {
  return Json(words).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> WordsFromUntrusted(const std::string& text) {
  std::vector<std::string> words;
  const Result<Json> json = ParseJson(text);
  if (!json || !json->is_array()) return words;
  for (const Json& each : *json) {
    if (each.is_string()) words.push_back(each.get<std::string>());
  }
  return words;
}

// Null for a row that this build does not understand: of a later version, or
// somebody's editor. It stays where it is.
std::optional<Fact> FactOfRow(const Query& row) {
  const auto kind = fact::FindKind(row.Text("kind"));
  const auto state = fact::FindState(row.Text("state"));
  const auto origin = fact::FindOrigin(row.Text("origin"));
  if (!kind || !state || !origin) return {};
  Result<Fact> checked = fact::Checked(
      {.key = {.kind = *kind,
               .subjects = WordsFromUntrusted(row.Text("subjects"))},
       .state = *state,
       .origin = *origin,
       .runs = WordsFromUntrusted(row.Text("runs")),
       .reason = row.Text("reason")});
  if (!checked) return {};
  return *std::move(checked);
}

// A store of an older version that may only be read has no such table.
Result<bool> HasFacts(Database& database) {
  Result<Query> query = database.Prepare(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'facts'");
  if (!query) return query.error();
  return query->Next();
}

}  // namespace

Result<std::vector<Fact>> SqliteStore::Facts() {
  std::vector<Fact> facts;
  const Result<bool> has = HasFacts(database_);
  if (!has) return has.error();
  if (!*has) return facts;
  Result<Query> query = database_.Prepare(
      "SELECT kind, subjects, state, origin, runs, reason FROM facts");
  if (!query) return query.error();
  while (true) {
    const Result<bool> row = query->Next();
    if (!row) return row.error();
    if (!*row) break;
    if (std::optional<Fact> fact = FactOfRow(*query)) {
      facts.push_back(*std::move(fact));
    }
  }
  std::ranges::sort(facts, {}, &Fact::key);
  return facts;
}

Status SqliteStore::WriteFact(const Fact& fact) {
  Result<Query> put = database_.Prepare(
      "INSERT OR REPLACE INTO facts "
      "(kind, subjects, state, origin, runs, reason, changed) "
      "VALUES (?, ?, ?, ?, ?, ?, ?)");
  if (!put) return put.error();
  put->Bind(fact::WordOf(fact.key.kind)).Bind(WordsJson(fact.key.subjects));
  put->Bind(fact::WordOf(fact.state)).Bind(fact::WordOf(fact.origin));
  put->Bind(WordsJson(fact.runs)).Bind(fact.reason).Bind(now_());
  return put->Run();
}

Result<std::vector<fact::Conflict>> SqliteStore::MergeFacts(
    std::span<const Fact> facts) {
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  const Result<std::vector<Fact>> kept = Facts();
  if (!kept) return kept.error();
  fact::Merged merged = fact::Merge(*kept, facts);
  for (const fact::Difference& each : fact::Diff(*kept, merged.facts)) {
    if (Status put = WriteFact(*each.after); !put) return put.error();
  }
  if (Status done = transaction->Commit(); !done) return done.error();
  return std::move(merged.conflicts);
}

Status SqliteStore::PutFact(const Fact& fact) {
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  if (Status put = WriteFact(fact); !put) return put;
  return transaction->Commit();
}

Status SqliteStore::ForgetFacts(std::span<const fact::Key> keys) {
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  Result<Query> remove =
      database_.Prepare("DELETE FROM facts WHERE kind = ? AND subjects = ?");
  if (!remove) return remove.error();
  for (const fact::Key& key : keys) {
    remove->Bind(fact::WordOf(key.kind)).Bind(WordsJson(key.subjects));
    if (Status done = remove->Run(); !done) return done;
  }
  return transaction->Commit();
}

}  // namespace fairlead::store
