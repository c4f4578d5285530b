// trace/schedule_words.h
//
// Words of the schedule file that both its printer and its parser need.

#ifndef FAIRLEAD_TRACE_SCHEDULE_WORDS_H_
#define FAIRLEAD_TRACE_SCHEDULE_WORDS_H_

#include <optional>
#include <string_view>

#include "abi/schedule.h"

namespace fairlead::trace {

inline constexpr std::string_view kScheduleMagic = "fairlead schedule";
inline constexpr std::string_view kIdle = "idle:";
inline constexpr std::string_view kOrdered = "ordered:";
inline constexpr std::string_view kClosure = "closure:";
inline constexpr std::string_view kNobody = "-";  // at the start nobody runs

// In the order of abi::InputKind.
inline constexpr std::string_view kInputWords[] = {
#define FL_INPUT(name, word, asked) word,
#include "abi/inputs.inc"
#undef FL_INPUT
};

inline std::string_view WordOf(abi::InputKind kind) {
  const auto index = static_cast<size_t>(kind);
  return index < std::size(kInputWords) ? kInputWords[index] : "none";
}

inline std::optional<abi::InputKind> FindInput(std::string_view word) {
  for (size_t i = 1; i < std::size(kInputWords); ++i) {
    if (kInputWords[i] == word) return static_cast<abi::InputKind>(i);
  }
  return {};
}

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_SCHEDULE_WORDS_H_
