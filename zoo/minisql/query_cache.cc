#include "query_cache.h"

#include "state.h"

namespace minisql {

std::optional<std::string> QueryCache::Find(const std::string& query) {
  const std::lock_guard hold(lock_);
  const auto found = entries_.find(query);
  if (found == entries_.end()) return {};
  return found->second.result;
}

uint64_t QueryCache::AgeLocked(const Tables& tables) const {
  uint64_t age = 0;
  for (const std::string& table : tables) {
    const auto found = invalidated_.find(table);
    if (found != invalidated_.end()) age += found->second;
  }
  return age;
}

uint64_t QueryCache::Age(const Tables& tables) {
  const std::lock_guard hold(lock_);
  return AgeLocked(tables);
}

void QueryCache::StoreLocked(const std::string& query,
                             const std::string& result, const Tables& tables) {
  entries_[query] = {result, tables};
  std::string value = result + " [";
  for (const std::string& table : tables) value += " " + table;
  state::Put(state::kQueryCache, query, value + " ]");
}

void QueryCache::Store(const std::string& query, const std::string& result,
                       const Tables& tables) {
  const std::lock_guard hold(lock_);
  StoreLocked(query, result, tables);
}

void QueryCache::StoreIfYoung(const std::string& query,
                              const std::string& result, const Tables& tables,
                              const Tables& read, uint64_t age) {
  const std::lock_guard hold(lock_);
  if (AgeLocked(read) == age) StoreLocked(query, result, tables);
}

void QueryCache::Invalidate(const std::string& table) {
  const std::lock_guard hold(lock_);
  ++invalidated_[table];
  for (auto at = entries_.begin(); at != entries_.end();) {
    if (at->second.tables.count(table) == 0) {
      ++at;
      continue;
    }
    state::Remove(state::kQueryCache, at->first);
    at = entries_.erase(at);
  }
}

void BinaryLog::Append(const std::string& statement) {
  const std::lock_guard hold(lock_);
  statements_.push_back(statement);
  state::Append(state::kBinaryLog, statement);
}

}  // namespace minisql
