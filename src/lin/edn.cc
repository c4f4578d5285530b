#include "lin/edn.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include "base/printable.h"
#include "base/text.h"

namespace fairlead::lin {
namespace {

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
         c == ',';
}
bool EndsToken(char c) {
  return c == '\0' || IsBlank(c) ||
         std::string_view("()[]{}\";").find(c) != std::string_view::npos;
}

// A number, if the token is one. Whole ones that are too large, and ratios,
// stay text.
std::optional<Json> NumberOf(std::string_view token) {
  const std::string_view digits = token.ends_with('N') || token.ends_with('M')
                                      ? token.substr(0, token.size() - 1)
                                      : token;
  const std::string_view plain =
      digits.starts_with('+') ? digits.substr(1) : digits;
  int64_t whole = 0;
  const char* const end = plain.data() + plain.size();
  const auto read = std::from_chars(plain.data(), end, whole);
  if (read.ec == std::errc() && read.ptr == end) return Json(whole);
  if (read.ec == std::errc::result_out_of_range && read.ptr == end)
    return std::nullopt;
  double real = 0;
  const auto as_real = std::from_chars(plain.data(), end, real);
  if (as_real.ec == std::errc() && as_real.ptr == end) return Json(real);
  return std::nullopt;
}

// Of a character after a backslash in a string.
char Unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      return c;
  }
}

}  // namespace

size_t EdnReader::LineAt(size_t at) {
  if (at < counted_to_) return line_;  // never asked backwards by much
  line_ += static_cast<size_t>(
      std::count(text_.begin() + static_cast<ptrdiff_t>(counted_to_),
                 text_.begin() + static_cast<ptrdiff_t>(at), '\n'));
  counted_to_ = at;
  return line_;
}

Error EdnReader::Wrong(std::string_view what) const {
  EdnReader copy = *this;
  return Error(ErrorCode::kMalformed)
      .Say("line {}: {}", copy.LineAt(std::min(at_, text_.size())), what);
}

Status EdnReader::SkipBlank(int depth) {
  while (!AtEnd()) {
    if (IsBlank(Peek())) {
      ++at_;
    } else if (Peek() == ';') {
      while (!AtEnd() && Peek() != '\n') ++at_;
    } else if (text_.substr(at_, 2) == "#_") {
      at_ += 2;
      if (Result<Json> dropped = Form(depth + 1); !dropped)
        return dropped.error();
    } else {
      break;
    }
  }
  return {};
}

Result<std::optional<Json>> EdnReader::Next() {
  if (Status blank = SkipBlank(0); !blank) return blank.error();
  if (!begun_ && (Peek() == '[' || Peek() == '(')) {
    closing_ = Peek() == '[' ? ']' : ')';
    ++at_;
    if (Status blank = SkipBlank(0); !blank) return blank.error();
  }
  begun_ = true;
  if (AtEnd()) {
    if (closing_ != '\0') return Wrong("the file ends inside of a vector");
    return std::nullopt;
  }
  if (closing_ != '\0' && Peek() == closing_) {
    ++at_;
    closing_ = '\0';
    if (Status blank = SkipBlank(0); !blank) return blank.error();
    if (!AtEnd()) return Wrong("something follows the history");
    return std::nullopt;
  }
  form_line_ = LineAt(at_);
  Result<Json> form = Form(0);
  if (!form) return form.error();
  return std::optional(std::move(*form));
}

Result<Json> EdnReader::Form(int depth) {
  if (depth > kMaxDepth) return Wrong("too many brackets inside of each other");
  if (Status blank = SkipBlank(depth); !blank) return blank.error();
  switch (Peek()) {
    case '\0':
      return Wrong("the file ends inside of a form");
    case '[':
      ++at_;
      return Sequence(']', depth);
    case '(':
      ++at_;
      return Sequence(')', depth);
    case '{':
      ++at_;
      return Map(depth);
    case '"':
      ++at_;
      return String();
    case '#':
      ++at_;
      return Tagged(depth);
    default:
      return Atom();
  }
}

Result<Json> EdnReader::Sequence(char closing, int depth) {
  Json all = Json::array();
  for (;;) {
    if (Status blank = SkipBlank(depth); !blank) return blank.error();
    if (AtEnd()) return Wrong("a bracket is not closed");
    if (Peek() == closing) {
      ++at_;
      return all;
    }
    Result<Json> element = Form(depth + 1);
    if (!element) return element;
    all.push_back(std::move(*element));
  }
}

Result<Json> EdnReader::Map(int depth) {
  Json all = Json::object();
  for (;;) {
    if (Status blank = SkipBlank(depth); !blank) return blank.error();
    if (AtEnd()) return Wrong("a brace is not closed");
    if (Peek() == '}') {
      ++at_;
      return all;
    }
    Result<Json> key = Form(depth + 1);
    if (!key) return key;
    if (Status blank = SkipBlank(depth); !blank) return blank.error();
    if (Peek() == '}') return Wrong("a key has no value");
    Result<Json> value = Form(depth + 1);
    if (!value) return value;
    std::string name =
        key->is_string()
            ? key->get<std::string>()
            : key->dump(-1, ' ', false, Json::error_handler_t::replace);
    if (name.starts_with(':')) name.erase(0, 1);
    all[std::move(name)] = std::move(*value);
  }
}

Result<Json> EdnReader::String() {
  std::string all;
  while (!AtEnd() && Peek() != '"') {
    if (Peek() == '\\') {
      ++at_;
      if (AtEnd()) break;
      all += Unescaped(Peek());
    } else {
      all += Peek();
    }
    ++at_;
  }
  if (AtEnd()) return Wrong("a string is not closed");
  ++at_;
  return Json(std::move(all));
}

Result<Json> EdnReader::Tagged(int depth) {
  if (Peek() == '{') {
    ++at_;
    return Sequence('}', depth);
  }
  if (Peek() == '#') {  // ##Inf, ##NaN
    ++at_;
    return Json(std::string(Token()));
  }
  if (Token().empty()) return Wrong("'#' without a tag");
  return Form(depth + 1);
}

std::string_view EdnReader::Token() {
  const size_t first = at_;
  while (!AtEnd() && !EndsToken(Peek())) ++at_;
  return text_.substr(first, at_ - first);
}

Result<Json> EdnReader::Atom() {
  if (Peek() == '\\') {  // a character
    const size_t first = at_;
    at_ = std::min(at_ + 2, text_.size());
    Token();
    return Json(std::string(text_.substr(first + 1, at_ - first - 1)));
  }
  const std::string_view token = Token();
  if (token.empty()) {
    return Wrong(fmt::format("'{}' where a value should be",
                             PrintableLine(text_.substr(at_, 1))));
  }
  if (token == "nil") return Json();
  if (token == "true") return Json(true);
  if (token == "false") return Json(false);
  if (std::optional<Json> number = NumberOf(token)) return *number;
  return Json(std::string(token));
}

}  // namespace fairlead::lin
