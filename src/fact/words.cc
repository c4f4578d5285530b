#include "fact/words.h"

#include <fmt/core.h>

#include "base/text.h"

namespace fairlead::fact {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}
// Words of the syntax, wherever they stand.
bool IsMark(char c) { return c == '[' || c == ']' || c == ','; }

constexpr std::string_view kHexadecimal = "0123456789abcdef";

class Reader {
 public:
  explicit Reader(std::string_view line) : line_(line) {}

  std::expected<SplitLine, LineError> Read();

 private:
  std::unexpected<LineError> Wrong(size_t at, std::string sentence,
                                   std::string hint) const {
    return std::unexpected(
        LineError{at + 1, std::move(sentence), std::move(hint)});
  }
  std::expected<Word, LineError> ReadQuoted();
  // The character that the escape at `at_` stands for.
  std::expected<char, LineError> ReadEscape();
  std::expected<Word, LineError> ReadBare();

  std::string_view line_;
  size_t at_ = 0;
};

std::expected<char, LineError> Reader::ReadEscape() {
  const size_t begin = at_++;
  const char what = at_ < line_.size() ? line_[at_++] : '\0';
  switch (what) {
    case '"':
    case '\\':
      return what;
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'x': {
      const std::string_view digits = line_.substr(at_, 2);
      if (digits.size() == 2 &&
          digits.find_first_not_of(kHexadecimal) == std::string::npos) {
        at_ += 2;
        return static_cast<char>(kHexadecimal.find(digits[0]) * 16 +
                                 kHexadecimal.find(digits[1]));
      }
      break;
    }
    default:
      break;
  }
  return Wrong(begin, "this escape means nothing",
               "in quotes, write \\\" \\\\ \\n \\t or \\xNN");
}

std::expected<Word, LineError> Reader::ReadQuoted() {
  Word word = {.text = "", .column = at_ + 1, .quoted = true};
  const size_t begin = at_++;
  while (at_ < line_.size() && line_[at_] != '"') {
    if (IsControl(line_[at_]) && line_[at_] != '\t') {
      return Wrong(at_, "a control character", "write it as \\xNN");
    }
    if (line_[at_] != '\\') {
      word.text += line_[at_++];
      continue;
    }
    const std::expected<char, LineError> c = ReadEscape();
    if (!c) return std::unexpected(c.error());
    word.text += *c;
  }
  if (at_ == line_.size()) {
    return Wrong(begin, "this quote is not closed", "end it with \"");
  }
  ++at_;
  return word;
}

std::expected<Word, LineError> Reader::ReadBare() {
  Word word = {.text = "", .column = at_ + 1};
  if (IsMark(line_[at_])) {
    word.text = line_[at_++];
    return word;
  }
  while (at_ < line_.size() && !IsBlank(line_[at_]) && !IsMark(line_[at_])) {
    const char c = line_[at_];
    if (c == '"') {
      return Wrong(at_, "a quote inside a word",
                   "put the whole word in quotes");
    }
    if (IsControl(c)) {
      return Wrong(at_, "a control character",
                   "put the word in quotes, and write it as \\xNN");
    }
    word.text += c;
    ++at_;
  }
  return word;
}

std::expected<SplitLine, LineError> Reader::Read() {
  SplitLine split;
  while (true) {
    while (at_ < line_.size() && IsBlank(line_[at_])) ++at_;
    if (at_ == line_.size()) return split;
    std::expected<Word, LineError> word =
        line_[at_] == '"' ? ReadQuoted() : ReadBare();
    if (!word) return std::unexpected(word.error());
    if (!word->quoted && word->text == ":") {
      split.reason = Trim(line_.substr(at_));
      for (size_t i = at_; i < line_.size(); ++i) {
        if (IsControl(line_[i]) && !IsBlank(line_[i])) {
          return Wrong(i, "a control character", "take it out of the reason");
        }
      }
      return split;
    }
    split.words.push_back(*std::move(word));
  }
}

bool IsBareWord(std::string_view word) {
  if (word.empty() || word == ":" || word.front() == '#') return false;
  for (const char c : word) {
    if (IsBlank(c) || IsControl(c) || IsMark(c) || c == '"') return false;
  }
  return true;
}

}  // namespace

std::expected<SplitLine, LineError> SplitFactLine(std::string_view line) {
  return Reader(line).Read();
}

std::string Quoted(std::string_view word) {
  if (IsBareWord(word)) return std::string(word);
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (IsControl(c)) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + "\"";
}

}  // namespace fairlead::fact
