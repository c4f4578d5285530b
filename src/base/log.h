// base/log.h
//
// What we say to the user beside results: lines on standard error that begin
// with "fairlead: ". Standard output is for results only, and the program's.
//
//   Warn("{} has no sites; recompile it with fairlead-cc", program);

#ifndef FAIRLEAD_BASE_LOG_H_
#define FAIRLEAD_BASE_LOG_H_

#include <fmt/core.h>

#include <string_view>
#include <utility>

namespace fairlead {

enum class LogLevel { kError, kWarning, kNote, kDetail };

// The most talkative level that is still written; kNote at the start.
void SetLogLevel(LogLevel level);

void Log(LogLevel level, std::string_view line);

template <typename... Args>
void Fail(fmt::format_string<Args...> format, Args&&... args) {
  Log(LogLevel::kError, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void Warn(fmt::format_string<Args...> format, Args&&... args) {
  Log(LogLevel::kWarning, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void Note(fmt::format_string<Args...> format, Args&&... args) {
  Log(LogLevel::kNote, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void Detail(fmt::format_string<Args...> format, Args&&... args) {
  Log(LogLevel::kDetail, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_LOG_H_
