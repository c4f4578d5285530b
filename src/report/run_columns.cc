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

std::string Columns::Json() const {
  std::string json;
  for (const auto& [name, values] : columns_) {
    if (!json.empty()) json += ',';
    fmt::format_to(std::back_inserter(json), "\"{}\":[", name);
    for (size_t i = 0; i < values.size(); ++i) {
      if (i != 0) json += ',';
      fmt::format_to(std::back_inserter(json), "{}", values[i]);
    }
    json += ']';
  }
  return json;
}

}  // namespace fairlead::report
