// base/result.h
//
// How code outside the program says that something failed: a Result<T> is a T
// or an Error, and an Error is a sentence for the user with a code that decides
// the exit status.  Not for the in-program rooms, which return plain values.
//
//   Result<Schedule> LoadSchedule(const std::string& file) {
//     Result<std::string> text = ReadFile(file);
//     if (!text) return text.error();
//     Result<Schedule> schedule = ParseSchedule(*text);
//     if (!schedule) return schedule.error().In(file);
//     return schedule;
//   }

#ifndef FAIRLEAD_BASE_RESULT_H_
#define FAIRLEAD_BASE_RESULT_H_

#include <fmt/core.h>

#include <expected>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/text.h"

namespace fairlead {

enum class ErrorCode {
#define FL_ERROR(name, word, exit, meaning) name,
#include "base/errors.inc"
#undef FL_ERROR
};

// What the process exits with when an error of this code ends it.
int ExitCodeOf(ErrorCode code);

// The code's name in JSON and in the reference.
std::string_view WordOf(ErrorCode code);

class Error {
 public:
  explicit Error(ErrorCode code) : code_(code) {}

  // What happened, and to what: one sentence, no full stop. Of text that is
  // longer than any of ours, which is quoted then, only the beginning is kept.
  template <typename... Args>
  Error Say(fmt::format_string<Args...> format, Args&&... args) && {
    sentence_ = fmt::format(fmt::runtime(format), Bounded(args)...);
    return std::move(*this);
  }

  // What the reader can do about it.
  template <typename... Args>
  Error Hint(fmt::format_string<Args...> format, Args&&... args) && {
    hint_ = fmt::format(fmt::runtime(format), Bounded(args)...);
    return std::move(*this);
  }

  // The same error, found in `place`; places nest from the outside in.
  Error In(std::string_view place) const;

  ErrorCode code() const { return code_; }
  const std::string& sentence() const { return sentence_; }
  const std::string& hint() const { return hint_; }

  // "place: sentence; hint", on one line.
  std::string Text() const;

 private:
  static constexpr size_t kMaxQuoted = 1000;  // bytes; our own have up to 300

  template <typename T>
  static auto Bounded(const T& argument) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return Clipped(argument, kMaxQuoted);
    } else {
      return argument;
    }
  }

  ErrorCode code_;
  std::string sentence_;
  std::string hint_;
};

// An error from the operating system: `number` is an errno, whose text is
// added to the sentence, and which decides the code and, unless there is one
// already, the hint. `what` says what could not be done, and to what.
Error SystemError(int number, std::string_view what);

// std::expected that can be made from an Error without ceremony.
template <typename T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
  Result(Error error)  // NOLINT(google-explicit-constructor): on purpose
      : std::expected<T, Error>(std::unexpect, std::move(error)) {}
};

// What is returned by what has nothing to return.
using Status = Result<void>;

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_RESULT_H_
