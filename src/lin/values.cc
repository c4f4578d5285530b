#include "lin/values.h"

#include <fmt/format.h>

namespace fairlead::lin {

ValueId ValueTable::Add(const Json& value) {
  const std::string text =
      value.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto known = numbers_.find(text);
  if (known != numbers_.end()) return known->second;
  const auto id = static_cast<ValueId>(values_.size());
  numbers_.emplace(text, id);
  values_.push_back(value);
  return id;
}

std::optional<int64_t> ValueTable::NumberOf(ValueId id) const {
  if (id == ValueId::kUnknown || !At(id).is_number_integer()) {
    return std::nullopt;
  }
  return At(id).get<int64_t>();
}

std::string ValueTable::StringOf(ValueId id) const {
  if (id == ValueId::kUnknown || !At(id).is_string()) return "";
  return At(id).get<std::string>();
}

std::string ValueTable::TextOf(ValueId id) const {
  if (id == ValueId::kUnknown) return "?";
  const Json& value = At(id);
  if (value.is_null()) return "nil";
  if (!value.is_array()) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  std::string text;
  for (const Json& part : value) {
    if (!text.empty()) text += ' ';
    text += part.is_null()
                ? "nil"
                : part.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return fmt::format("[{}]", text);
}

}  // namespace fairlead::lin
