// Results of queries, each with the tables that it depends on; and the log of
// what has changed the tables, in order.

#ifndef ZOO_MINISQL_QUERY_CACHE_H_
#define ZOO_MINISQL_QUERY_CACHE_H_

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace minisql {

using Tables = std::set<std::string>;

class QueryCache {
 public:
  std::optional<std::string> Find(const std::string& query);

  // How often results that depend on one of these have been taken out.
  uint64_t Age(const Tables& tables);
  // Keeps a result that depends on `tables`, unless some of those that were
  // `read` have changed since they had that age.
  void StoreIfYoung(const std::string& query, const std::string& result,
                    const Tables& tables, const Tables& read, uint64_t age);
  void Store(const std::string& query, const std::string& result,
             const Tables& tables);
  void Invalidate(const std::string& table);

 private:
  struct Entry {
    std::string result;
    Tables tables;
  };
  uint64_t AgeLocked(const Tables& tables) const;
  void StoreLocked(const std::string& query, const std::string& result,
                   const Tables& tables);

  std::mutex lock_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, uint64_t> invalidated_;  // how often, by table
};

class BinaryLog {
 public:
  void Append(const std::string& statement);

 private:
  std::mutex lock_;
  std::vector<std::string> statements_;
};

}  // namespace minisql

#endif  // ZOO_MINISQL_QUERY_CACHE_H_
