// The server: carries out statements of many sessions at once. Each must be as
// if alone, in its answer and in what it leaves.

#ifndef ZOO_MINISQL_SERVER_H_
#define ZOO_MINISQL_SERVER_H_

#include <string>

#include "parse.h"
#include "query_cache.h"
#include "storage.h"

namespace minisql {

struct Reply {
  std::string text;
  int error = 0;
};

enum Error { kNoTable = 1, kNoFile = 2, kExists = 3, kSyntax = 4 };

class Server {
 public:
  Reply Serve(const std::string& text);

 private:
  // Definitions (definitions.cc).
  Reply Create(const Statement& statement);
  Reply CreateLike(const Statement& statement);
  Reply CreateSelect(const Statement& statement);
  Reply Drop(const Statement& statement);
  Reply Truncate(const Statement& statement);
  Reply Optimize(const Statement& statement);
  Reply Show(const Statement& statement);
  // Rows (rows.cc).
  Reply Insert(const Statement& statement);
  Reply InsertSelect(const Statement& statement);
  Reply Select(const Statement& statement);

  // With the catalog held.
  bool IsDefined(const std::string& table) const {
    return storage_.definitions.count(table) != 0;
  }
  std::string StatusOf(const std::string& table);
  std::vector<Row> RowsOf(DataFile& file);

  Storage storage_;
  QueryCache query_cache_;
  BinaryLog log_;
};

}  // namespace minisql

#endif  // ZOO_MINISQL_SERVER_H_
