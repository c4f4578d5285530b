// A subset of SQL, as words:
//
//   create table T ( a , b )            insert into T values ( 1 , x ) , ( 2 ,
//   y ) create table T like U               insert into T select * from U
//   create table T select * from U      select WHAT from T , U [ where a = b ]
//   create table T union U V               [ where a like x ] [ group by a ]
//   drop table T                        truncate table T
//   optimize table T                    show table status like T
//
// WHAT is * or columns, count, sum, length COLUMN, or distinct COLUMN.

#ifndef ZOO_MINISQL_PARSE_H_
#define ZOO_MINISQL_PARSE_H_

#include <string>
#include <vector>

#include "storage.h"

namespace minisql {

struct Query {
  std::vector<std::string> what;  // as above
  std::vector<std::string> tables;
  std::string equal[2];    // columns that are to be equal; "" = any
  std::string like[2];     // a column and what is in it
  std::string group = {};  // by this column
};

struct Statement {
  enum class Kind {
    kCreate,
    kCreateLike,
    kCreateSelect,
    kCreateUnion,
    kDrop,
    kOptimize,
    kInsert,
    kInsertSelect,
    kSelect,
    kTruncate,
    kShow,
    kWrong,
  } kind = Kind::kWrong;
  std::string text;
  std::string table;
  std::string other;               // U
  std::vector<std::string> names;  // columns, or tables of a union
  std::vector<Row> rows;
  Query query;
};

Statement Parse(const std::string& text);

}  // namespace minisql

#endif  // ZOO_MINISQL_PARSE_H_
