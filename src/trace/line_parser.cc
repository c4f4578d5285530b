#include "trace/line_parser.h"

#include <algorithm>

#include "base/text.h"

namespace fairlead::trace {
namespace {

constexpr std::string_view kWhite = " \t\r\v\f";

// Up to a comment, which begins at the start of a word.
std::string_view WithoutComment(std::string_view line) {
  for (size_t at = line.find("//"); at != std::string_view::npos;
       at = line.find("//", at + 1)) {
    if (at == 0 || kWhite.contains(line[at - 1])) return line.substr(0, at);
  }
  return line;
}

}  // namespace

LineParser::LineParser(std::string_view line, size_t number)
    : line_(line), rest_(Trim(WithoutComment(line))), number_(number) {}

std::string_view LineParser::Peek() const {
  return rest_.substr(0, rest_.find_first_of(kWhite));
}

std::string_view LineParser::Take() {
  const std::string_view word = Peek();
  if (rest_.empty()) {
    const std::string_view text = WithoutComment(line_);
    column_ = text.find_last_not_of(kWhite) + 2;  // npos + 1 is 0
    return word;
  }
  column_ = static_cast<size_t>(word.data() - line_.data()) + 1;
  rest_.remove_prefix(word.size());
  rest_.remove_prefix(std::min(rest_.find_first_not_of(kWhite), rest_.size()));
  return word;
}

Result<std::string_view> LineParser::Word(std::string_view what) {
  const std::string_view word = Take();
  if (word.empty()) return Wrong("{} is missing", what);
  return word;
}

Result<uint64_t> LineParser::Number(std::string_view what) {
  const Result<std::string_view> word = Word(what);
  if (!word) return word.error();
  const std::optional<uint64_t> number = ParseNumber(*word);
  if (!number) return Wrong("{} is no number: '{}'", what, *word);
  return *number;
}

Result<uint64_t> LineParser::NumberBelow(uint64_t limit,
                                         std::string_view what) {
  const Result<uint64_t> number = Number(what);
  if (number && *number >= limit) {
    return Wrong("{} is too large: {}", what, *number);
  }
  return number;
}

Result<std::string> LineParser::Escaped(std::string_view what) {
  const Result<std::string_view> word = Word(what);
  if (!word) return word.error();
  std::optional<std::string> text = Unescape(*word);
  if (!text) return Wrong("{} has a broken %XX: '{}'", what, *word);
  return *std::move(text);
}

Status LineParser::Expect(std::string_view word) {
  const std::string_view found = Take();
  if (found == word) return {};
  return Wrong("expected '{}', found '{}'", word, found);
}

Status LineParser::End() {
  if (AtEnd()) return {};
  const std::string_view word = Take();
  return Wrong("unexpected '{}'", word);
}

}  // namespace fairlead::trace
