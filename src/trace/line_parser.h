// trace/line_parser.h
//
// Reads a line of an untrusted text word by word, and makes errors that name
// line and column. For the line-based formats of this room: traces, names,
// schedules. A comment ("//" at the start of a word) ends the line.

#ifndef FAIRLEAD_TRACE_LINE_PARSER_H_
#define FAIRLEAD_TRACE_LINE_PARSER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead::trace {

class LineParser {
 public:
  // `line` outlives the parser; `number` counts from 1.
  LineParser(std::string_view line, size_t number);

  // Whether all words are taken.
  bool AtEnd() const { return rest_.empty(); }

  // The next word without taking it; empty at the end.
  std::string_view Peek() const;
  std::string_view Take();

  // The next word, whatever it is; an error at the end of the line.
  Result<std::string_view> Word(std::string_view what);
  Result<uint64_t> Number(std::string_view what);
  // A number below `limit`.
  Result<uint64_t> NumberBelow(uint64_t limit, std::string_view what);
  // A word in which %XX stands for a byte.
  Result<std::string> Escaped(std::string_view what);
  // Exactly this word.
  Status Expect(std::string_view word);
  // Nothing more.
  Status End();

  // An error at the word taken last.
  template <typename... Args>
  Error Wrong(fmt::format_string<Args...> format, Args&&... args) const {
    return Error(ErrorCode::kMalformed)
        .Say("{}:{}: {}", number_, column_,
             fmt::format(fmt::runtime(format), Quoted(args)...));
  }

 private:
  static constexpr size_t kMaxQuoted = 100;  // bytes of a word

  template <typename T>
  static auto Quoted(const T& argument) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return Clipped(argument, kMaxQuoted);
    } else {
      return argument;
    }
  }

  std::string_view line_;
  std::string_view rest_;  // begins with a word, or is empty
  size_t number_;
  size_t column_ = 1;  // of the word taken last
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_LINE_PARSER_H_
