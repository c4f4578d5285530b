// Where tables are kept: definitions, data and index files, and the caches of
// descriptors and of index blocks before them. All in memory.
//
// Who reads or changes which tables there are holds Storage::catalog; who reads
// or changes the rows of one, DataFile::lock. The caches lock for themselves.

#ifndef ZOO_MINISQL_STORAGE_H_
#define ZOO_MINISQL_STORAGE_H_

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

namespace minisql {

using Row = std::vector<std::string>;
std::string TextOf(const Row& row);  // "(1,'x')"

struct Definition {
  std::vector<std::string> columns;
  std::vector<std::string> children;  // of a table that is a union of others
};

// Rows in the order in which they came, and an index of the first column.
class DataFile {
 public:
  explicit DataFile(std::string table) : table_(std::move(table)) {}
  std::mutex lock;

  // The rest with `lock` held.
  void Append(Row row);
  void Clear();
  // Behind the last row.
  size_t end() const { return rows_.size(); }
  const Row& At(size_t position) const { return rows_[position]; }

 private:
  std::string table_;
  std::vector<Row> rows_;
  std::multimap<std::string, size_t> index_;
};

// Open descriptors. One that is free is used again; else there is a new one.
class TableCache {
 public:
  void Open(const std::string& table);
  void Close(const std::string& table);
  // All of a table; those in use are gone when they are closed.
  void Flush(const std::string& table);
  bool Has(const std::string& table);

 private:
  struct Instances {
    int free = 0;
    int used = 0;
  };
  std::mutex lock_;
  std::map<std::string, Instances> tables_;
};

// Which index files have been loaded.
class KeyCache {
 public:
  void Load(const std::string& table);
  void Drop(const std::string& table);

 private:
  std::mutex lock_;
  std::set<std::string> loaded_;
};

struct Storage {
  std::shared_mutex catalog;
  std::map<std::string, Definition> definitions;
  std::map<std::string, std::shared_ptr<DataFile>> files;
  TableCache table_cache;
  KeyCache key_cache;

  // With `catalog` held by this thread alone.
  void Define(const std::string& table, Definition definition);
  void MakeFile(const std::string& table);
  void RemoveFile(const std::string& table);
  void Undefine(const std::string& table);
};

}  // namespace minisql

#endif  // ZOO_MINISQL_STORAGE_H_
