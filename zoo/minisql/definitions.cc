// Statements about tables as a whole. Each holds the catalog alone from its
// first step to its last, the log included; but for what MINISQL_… changes,
// each as it was seen in a server that was shipped.

#include "server.h"

namespace minisql {

using Alone = std::unique_lock<std::shared_mutex>;
using Shared = std::shared_lock<std::shared_mutex>;

Reply Server::Serve(const std::string& text) {
  const Statement statement = Parse(text);
  switch (statement.kind) {
    case Statement::Kind::kCreate:
    case Statement::Kind::kCreateUnion:
      return Create(statement);
    case Statement::Kind::kCreateLike:
      return CreateLike(statement);
    case Statement::Kind::kCreateSelect:
      return CreateSelect(statement);
    case Statement::Kind::kDrop:
      return Drop(statement);
    case Statement::Kind::kTruncate:
      return Truncate(statement);
    case Statement::Kind::kOptimize:
      return Optimize(statement);
    case Statement::Kind::kShow:
      return Show(statement);
    case Statement::Kind::kInsert:
      return Insert(statement);
    case Statement::Kind::kInsertSelect:
      return InsertSelect(statement);
    case Statement::Kind::kSelect:
      return Select(statement);
    case Statement::Kind::kWrong:
      break;
  }
  return {"what?", kSyntax};
}

Reply Server::Create(const Statement& statement) {
  const Alone alone(storage_.catalog);
  if (IsDefined(statement.table)) return {"it exists", kExists};
  const bool is_union = statement.kind == Statement::Kind::kCreateUnion;
  storage_.Define(statement.table, is_union ? Definition{{}, statement.names}
                                            : Definition{statement.names, {}});
  if (!is_union) storage_.MakeFile(statement.table);
  log_.Append(statement.text);
  return {"created"};
}

Reply Server::CreateLike(const Statement& statement) {
  Alone alone(storage_.catalog);
  if (!IsDefined(statement.other)) return {"no such table", kNoTable};
  if (IsDefined(statement.table)) return {"it exists", kExists};
  storage_.Define(statement.table, storage_.definitions[statement.other]);
#ifdef MINISQL_CREATE_LIKE
  // Files are made outside of the lock, since that takes time.
  alone.unlock();
  alone.lock();
#endif
  storage_.MakeFile(statement.table);
  log_.Append(statement.text);
  return {"created"};
}

std::vector<Row> Server::RowsOf(DataFile& file) {
  const std::lock_guard hold(file.lock);
  std::vector<Row> rows;
  for (size_t i = 0; i < file.end(); ++i) rows.push_back(file.At(i));
  return rows;
}

Reply Server::CreateSelect(const Statement& statement) {
  Alone alone(storage_.catalog);
  if (!IsDefined(statement.other)) return {"no such table", kNoTable};
  if (IsDefined(statement.table)) return {"it exists", kExists};
  storage_.Define(statement.table, storage_.definitions[statement.other]);
  storage_.MakeFile(statement.table);
  const std::vector<Row> rows = RowsOf(*storage_.files[statement.other]);
#ifdef MINISQL_CREATE_SELECT
  // The table is there; its rows may come as those of an insert do.
  alone.unlock();
  alone.lock();
#endif
  std::shared_ptr<DataFile>& file = storage_.files[statement.table];
  const bool whole = file != nullptr;
  if (!whole) storage_.MakeFile(statement.table);
  size_t copied = 0;
  {
    const std::lock_guard hold(file->lock);
    for (const Row& row : rows) {
      file->Append(row);
      if (whole) ++copied;
    }
  }
  log_.Append(statement.text);
  return {std::to_string(copied) + " rows"};
}

Reply Server::Drop(const Statement& statement) {
  const Alone alone(storage_.catalog);
  if (!IsDefined(statement.table)) return {"no such table", kNoTable};
  storage_.RemoveFile(statement.table);
  storage_.Undefine(statement.table);
  query_cache_.Invalidate(statement.table);
  log_.Append(statement.text);
  return {"dropped"};
}

// As fast as it gets: the table is thrown away, and made anew.
Reply Server::Truncate(const Statement& statement) {
  Alone alone(storage_.catalog);
  if (!IsDefined(statement.table)) return {"no such table", kNoTable};
  const Definition definition = storage_.definitions[statement.table];
  storage_.RemoveFile(statement.table);
  storage_.Undefine(statement.table);
#ifdef MINISQL_DEPENDENCY
  alone.unlock();
  alone.lock();
#endif
  storage_.Define(statement.table, definition);
  storage_.MakeFile(statement.table);
  query_cache_.Invalidate(statement.table);
  log_.Append(statement.text);
  return {"truncated"};
}

// Maintenance is logged whatever comes of it.
Reply Server::Optimize(const Statement& statement) {
  Alone alone(storage_.catalog);
  const bool is_there = IsDefined(statement.table);
  if (is_there) query_cache_.Invalidate(statement.table);
#ifdef MINISQL_LOG_ORDER
  alone.unlock();  // the table is done; caches lock for themselves
#endif
  if (is_there) {
    storage_.key_cache.Drop(statement.table);
    storage_.table_cache.Flush(statement.table);
  }
  log_.Append(statement.text);
  if (!is_there) return {"no such table", kNoTable};
  return {"optimized"};
}

std::string Server::StatusOf(const std::string& table) {
  const auto file = storage_.files.find(table);
  if (!IsDefined(table) || file == storage_.files.end()) {
    return table + " NULL NULL";
  }
  storage_.table_cache.Open(table);
  const std::lock_guard hold(file->second->lock);
  const std::string status =
      table + " " + std::to_string(file->second->end()) + " rows " +
      std::to_string(storage_.definitions[table].columns.size()) + " columns";
  storage_.table_cache.Close(table);
  return status;
}

Reply Server::Show(const Statement& statement) {
  Shared shared(storage_.catalog);
  std::vector<std::string> names;
  for (const auto& [name, definition] : storage_.definitions) {
    if (name.find(statement.table) == 0) names.push_back(name);
  }
#ifdef MINISQL_SHOW
  // The list is a copy, and opening tables takes time.
  shared.unlock();
  shared.lock();
#endif
  std::string text;
  for (const std::string& name : names) text += StatusOf(name) + "\n";
  return {text};
}

}  // namespace minisql
