#include "base/json.h"

#include <algorithm>

namespace fairlead {

namespace {

// Values inside of each other; nothing that we read has so many, and who walks
// such a value, or takes it apart, needs stack for each.
constexpr int kMaxDepth = 256;

// Whether more brackets are open at once, also in text that is no JSON.
bool IsTooDeep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  if (IsTooDeep(text)) {
    return Error(ErrorCode::kMalformed)
        .Say("this is JSON of more than {} values inside of each other",
             kMaxDepth);
  }
  try {
    return Json::parse(text);
  } catch (const Json::out_of_range&) {
    return Error(ErrorCode::kMalformed)
        .Say("this is JSON with a number that is too large");
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
