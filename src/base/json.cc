#include "base/json.h"

#include <algorithm>

namespace fairlead {

Result<Json> ParseJson(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& failure) {
    const size_t at =
        std::min(failure.byte == 0 ? 0 : failure.byte - 1, text.size());
    const std::string_view before = text.substr(0, at);
    const auto line = 1 + std::ranges::count(before, '\n');
    const size_t column = at - (before.rfind('\n') + 1) + 1;
    return Error(ErrorCode::kMalformed)
        .Say("{}:{}: this is not JSON", line, column);
  }
}

std::string JsonText(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json ErrorJson(const Error& error) {
  Json json = {{"code", WordOf(error.code())}, {"message", error.sentence()}};
  if (!error.hint().empty()) json["hint"] = error.hint();
  return json;
}

}  // namespace fairlead
