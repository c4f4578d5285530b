#include "base/log.h"

#include <unistd.h>

#include <atomic>
#include <string>

#include "base/printable.h"

namespace fairlead {
namespace {

std::atomic<LogLevel> log_level = LogLevel::kNote;

std::string_view PrefixOf(LogLevel level) {
  switch (level) {
    case LogLevel::kError:
      return "fairlead: error: ";
    case LogLevel::kWarning:
      return "fairlead: warning: ";
    case LogLevel::kNote:
    case LogLevel::kDetail:
      return "fairlead: ";
  }
  return "fairlead: ";
}

}  // namespace

void SetLogLevel(LogLevel level) { log_level = level; }

void Log(LogLevel level, std::string_view line) {
  if (level > log_level) return;
  const std::string text =
      fmt::format("{}{}\n", PrefixOf(level), Printable(line));
  // One write per line: lines of ours and of the program do not mix. Nobody is
  // left to tell if standard error is closed.
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace fairlead
