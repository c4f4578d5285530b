#include "report/run_columns.h"

#include <fmt/format.h>

#include <iterator>

#include "base/json.h"
#include "base/printable.h"

namespace fairlead::report {

std::string JsonString(std::string_view text) {
  return fairlead::Json(Printable(text)).dump();
}

uint32_t TextTable::Add(std::string_view text) {
  const auto [found, added] = index_.try_emplace(
      std::string(text), static_cast<uint32_t>(texts_.size()));
  if (added) texts_.emplace_back(text);
  return found->second;
}

std::string TextTable::Json() const {
  std::string json = "[";
  for (const std::string& text : texts_) {
    if (json.size() > 1) json += ',';
    json += JsonString(text);
  }
  return json + "]";
}

namespace {

void PutNumber(std::string& json, int64_t number) {
  if (json.back() != '[') json += ',';
  fmt::format_to(std::back_inserter(json), "{}", number);
}

// The numbers as runs: each with how often it comes.
std::vector<int64_t> RunsOf(const std::vector<int64_t>& values) {
  std::vector<int64_t> runs;
  for (const int64_t value : values) {
    if (runs.empty() || runs[runs.size() - 2] != value) {
      runs.insert(runs.end(), {value, 0});
    }
    ++runs.back();
  }
  return runs;
}

}  // namespace

std::string Columns::Json() const {
  std::string json;
  for (const auto& [name, values] : columns_) {
    if (!json.empty()) json += ',';
    const std::vector<int64_t> runs = RunsOf(values);
    const bool short_runs = runs.size() >= values.size();
    fmt::format_to(std::back_inserter(json), "\"{}\":{}", name,
                   short_runs ? "[" : "{\"runs\":[");
    for (const int64_t number : short_runs ? values : runs) {
      PutNumber(json, number);
    }
    json += short_runs ? "]" : "]}";
  }
  return json;
}

}  // namespace fairlead::report
