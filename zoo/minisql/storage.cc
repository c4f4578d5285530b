#include "storage.h"

#include "state.h"

namespace minisql {

std::string TextOf(const Row& row) {
  std::string text = "(";
  for (const std::string& value : row) {
    if (text.size() > 1) text += ",";
    text += value;
  }
  return text + ")";
}

void DataFile::Append(Row row) {
  state::Add(state::kDataFiles, table_ + TextOf(row));
  state::Add(state::kIndexFiles, table_ + " " + row[0]);
  index_.emplace(row[0], rows_.size());
  rows_.push_back(std::move(row));
}

void DataFile::Clear() {
  for (const Row& row : rows_) {
    state::Remove(state::kDataFiles, table_ + TextOf(row));
    state::Remove(state::kIndexFiles, table_ + " " + row[0]);
  }
  rows_.clear();
  index_.clear();
}

void TableCache::Open(const std::string& table) {
  const std::lock_guard hold(lock_);
  Instances& instances = tables_[table];
  if (instances.free > 0) {
    --instances.free;
  } else {
    state::Add(state::kTableCache, table);
  }
  ++instances.used;
}

void TableCache::Close(const std::string& table) {
  const std::lock_guard hold(lock_);
  const auto found = tables_.find(table);
  if (found == tables_.end() || found->second.used == 0) return;
  --found->second.used;
  ++found->second.free;
}

void TableCache::Flush(const std::string& table) {
  const std::lock_guard hold(lock_);
  const auto found = tables_.find(table);
  if (found == tables_.end()) return;
  const int number = found->second.free + found->second.used;
  for (int i = 0; i < number; ++i) state::Remove(state::kTableCache, table);
  tables_.erase(found);
}

bool TableCache::Has(const std::string& table) {
  const std::lock_guard hold(lock_);
  const auto found = tables_.find(table);
  return found != tables_.end() && found->second.free + found->second.used > 0;
}

void KeyCache::Load(const std::string& table) {
  const std::lock_guard hold(lock_);
  if (loaded_.insert(table).second) state::Add(state::kKeyCache, table);
}

void KeyCache::Drop(const std::string& table) {
  const std::lock_guard hold(lock_);
  if (loaded_.erase(table) != 0) state::Remove(state::kKeyCache, table);
}

void Storage::Define(const std::string& table, Definition definition) {
  definitions[table] = std::move(definition);
  state::Add(state::kDefinitions, table);
}

void Storage::MakeFile(const std::string& table) {
  files[table] = std::make_shared<DataFile>(table);
}

void Storage::RemoveFile(const std::string& table) {
  const auto found = files.find(table);
  if (found == files.end()) return;
  {
    const std::lock_guard hold(found->second->lock);
    found->second->Clear();
  }
  files.erase(found);
  key_cache.Drop(table);
}

void Storage::Undefine(const std::string& table) {
  definitions.erase(table);
  state::Remove(state::kDefinitions, table);
  table_cache.Flush(table);
}

}  // namespace minisql
