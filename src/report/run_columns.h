// report/run_columns.h
//
// An interleaving for the page: columns of numbers into tables of texts, as
// JSON. A million rows are some twenty bytes each, so that a page of a whole
// execution opens.

#ifndef FAIRLEAD_REPORT_RUN_COLUMNS_H_
#define FAIRLEAD_REPORT_RUN_COLUMNS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fairlead::report {

// Each text once; 0 is "".
class TextTable {
 public:
  TextTable() { Add(""); }
  uint32_t Add(std::string_view text);
  std::string Json() const;

 private:
  std::unordered_map<std::string, uint32_t> index_;
  std::vector<std::string> texts_;
};

// Named columns of whole numbers. One of long runs of the same number is
// written as {"runs": [number, how often, …]}, any other as an array.
class Columns {
 public:
  void Put(std::string_view name, int64_t value) {
    columns_[std::string(name)].push_back(value);
  }
  // "name":[…],… without braces.
  std::string Json() const;

 private:
  std::map<std::string, std::vector<int64_t>> columns_;
};

// `text` as a JSON string: valid UTF-8, characters that act as \xNN.
std::string JsonString(std::string_view text);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_RUN_COLUMNS_H_
