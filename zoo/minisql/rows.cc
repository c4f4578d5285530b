// Statements about rows. Each holds the catalog with others, and the files of
// its tables, in the order of their names, from its first look at a row to the
// end of what it changes; but for what MINISQL_… changes.

#include <algorithm>
#include <map>

#include "server.h"

namespace minisql {
namespace {

using Shared = std::shared_lock<std::shared_mutex>;
using Locks = std::vector<std::unique_lock<std::mutex>>;

// A row of several tables, with the names of its columns.
struct Joined {
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

// Where a column is; the first one, if nobody has it.
size_t ColumnOf(const Joined& joined, const std::string& name) {
  const auto at = std::find(joined.columns.begin(), joined.columns.end(), name);
  return at == joined.columns.end()
             ? 0
             : static_cast<size_t>(at - joined.columns.begin());
}

bool Fits(const Query& query, const Joined& joined, const Row& row) {
  if (!query.equal[0].empty() && row[ColumnOf(joined, query.equal[0])] !=
                                     row[ColumnOf(joined, query.equal[1])]) {
    return false;
  }
  return query.like[0].empty() || row[ColumnOf(joined, query.like[0])].find(
                                      query.like[1]) != std::string::npos;
}

std::string Listed(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    if (!text.empty()) text += " ";
    text += value;
  }
  return text.empty() ? "nothing" : text;
}

std::string Sums(const Query& query, const Joined& joined,
                 const std::vector<Row>& rows) {
  std::map<std::string, long> sums;
  for (const Row& row : rows) {
    sums[query.group.empty() ? "" : row[ColumnOf(joined, query.group)]] +=
        std::stol(row[ColumnOf(joined, query.what[1])]);
  }
  std::vector<std::string> values;
  for (const auto& [group, sum] : sums) {
    values.push_back(group + ":" + std::to_string(sum));
  }
  return Listed(values);
}

std::string ResultOf(const Query& query, const Joined& joined) {
  std::vector<Row> rows;
  for (const Row& row : joined.rows) {
    if (Fits(query, joined, row)) rows.push_back(row);
  }
  if (query.what[0] == "count") return std::to_string(rows.size());
  if (query.what[0] == "sum") return Sums(query, joined, rows);
  const bool all = query.what[0] == "*";
  const bool length = query.what[0] == "length";
  const bool distinct = query.what[0] == "distinct";
  const size_t column = all ? 0 : ColumnOf(joined, query.what.back());
  std::vector<std::string> values;
  for (const Row& row : rows) {
    std::string value = all      ? TextOf(row)
                        : length ? std::to_string(row[column].size())
                                 : row[column];
    const bool known =
        std::find(values.begin(), values.end(), value) != values.end();
    if (!distinct || !known) values.push_back(std::move(value));
  }
  return Listed(values);
}

// Each row of the first with each of the second.
void Join(Joined& joined, const Definition& definition,
          const std::vector<Row>& rows) {
  joined.columns.insert(joined.columns.end(), definition.columns.begin(),
                        definition.columns.end());
  std::vector<Row> both;
  for (const Row& left : joined.rows) {
    for (const Row& right : rows) {
      Row row = left;
      row.insert(row.end(), right.begin(), right.end());
      both.push_back(std::move(row));
    }
  }
  joined.rows = std::move(both);
}

}  // namespace

Reply Server::Insert(const Statement& statement) {
  const Shared shared(storage_.catalog);
  if (!IsDefined(statement.table)) return {"no such table", kNoTable};
  const auto file = storage_.files.find(statement.table);
  if (file == storage_.files.end()) return {"no data file", kNoFile};
  storage_.table_cache.Open(statement.table);
  storage_.key_cache.Load(statement.table);
  std::unique_lock hold(file->second->lock);
  for (const Row& row : statement.rows) file->second->Append(row);
  log_.Append(statement.text);
#ifdef MINISQL_DEPENDENCY
  // The file has another end: its descriptors are opened anew.
  storage_.table_cache.Flush(statement.table);
  hold.unlock();
  query_cache_.Invalidate(statement.table);
  storage_.table_cache.Open(statement.table);
#else
  query_cache_.Invalidate(statement.table);
#endif
  storage_.table_cache.Close(statement.table);
  return {std::to_string(statement.rows.size()) + " rows"};
}

Reply Server::InsertSelect(const Statement& statement) {
  const Shared shared(storage_.catalog);
  if (!IsDefined(statement.table) || !IsDefined(statement.other)) {
    return {"no such table", kNoTable};
  }
  const auto to = storage_.files.find(statement.table);
  const auto from = storage_.files.find(statement.other);
  if (to == storage_.files.end() || from == storage_.files.end()) {
    return {"no data file", kNoFile};
  }
  if (to == from) return {"not into itself", kSyntax};
  std::mutex* locks[] = {&from->second->lock, &to->second->lock};
  if (statement.table < statement.other) std::swap(locks[0], locks[1]);
  const std::lock_guard first(*locks[0]);
  const std::lock_guard second(*locks[1]);
  for (size_t i = 0; i < from->second->end(); ++i) {
    to->second->Append(from->second->At(i));
  }
  query_cache_.Invalidate(statement.table);
  log_.Append(statement.text);
  return {std::to_string(from->second->end()) + " rows"};
}

Reply Server::Select(const Statement& statement) {
  if (const auto known = query_cache_.Find(statement.text)) return {*known};
  const Shared shared(storage_.catalog);
  // A union stands for those of its tables that there are.
  Tables names;                                 // what it depends on
  std::vector<std::vector<std::string>> parts;  // files, by table of the query
  for (const std::string& table : statement.query.tables) {
    const auto found = storage_.definitions.find(table);
    if (found == storage_.definitions.end()) {
      return {"no such table", kNoTable};
    }
    names.insert(table);
    std::vector<std::string>& files = parts.emplace_back();
    if (storage_.files.count(table) != 0) files.push_back(table);
    for (const std::string& child : found->second.children) {
      if (!IsDefined(child)) continue;
      names.insert(child);
      files.push_back(child);
    }
  }
  const uint64_t age = query_cache_.Age(names);
  for (const std::string& name : names) storage_.table_cache.Open(name);
  Locks locks;
  std::map<std::string, size_t> ends;
  for (const std::string& name : names) {
    const auto file = storage_.files.find(name);
    if (file == storage_.files.end()) continue;
    storage_.key_cache.Load(name);
    locks.emplace_back(file->second->lock);
    ends[name] = file->second->end();
  }
#ifdef MINISQL_STALE_COPY
  // It knows where the rows end: others may append to them meanwhile.
  locks.clear();
  for (const auto& [name, end] : ends) {
    locks.emplace_back(storage_.files[name]->lock);
  }
#endif
  Joined joined = {{}, {{}}};
  for (size_t i = 0; i < parts.size(); ++i) {
    std::vector<Row> rows;
    Definition definition = storage_.definitions[statement.query.tables[i]];
    for (const std::string& name : parts[i]) {
      const DataFile& file = *storage_.files[name];
      for (size_t at = 0; at < ends[name]; ++at) rows.push_back(file.At(at));
      definition.columns = storage_.definitions[name].columns;
    }
    Join(joined, definition, rows);
  }
#ifdef MINISQL_DEPENDENCY
  // Descriptors say what is in use.
  Tables in_use;
  for (const std::string& name : names) {
    if (storage_.table_cache.Has(name)) in_use.insert(name);
  }
#endif
  locks.clear();
  const std::string result = ResultOf(statement.query, joined);
#if defined(MINISQL_STALE_COPY)
  (void)age;
  query_cache_.Store(statement.text, result, names);
#elif defined(MINISQL_DEPENDENCY)
  query_cache_.StoreIfYoung(statement.text, result, in_use, names, age);
#else
  query_cache_.StoreIfYoung(statement.text, result, names, names, age);
#endif
  for (const std::string& name : names) storage_.table_cache.Close(name);
  return {result};
}

}  // namespace minisql
