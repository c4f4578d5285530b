#include "base/check.h"

#include <stdio.h>
#include <unistd.h>

#include <utility>

#include "base/exit_code.h"
#include "base/printable.h"

namespace fairlead {
namespace {

thread_local DoingNow* innermost = nullptr;

}  // namespace

DoingNow::DoingNow(std::string what)
    : what_(std::move(what)), outer_(std::exchange(innermost, this)) {}

DoingNow::~DoingNow() { innermost = outer_; }

std::string DoingText() {
  std::string text;
  for (const DoingNow* it = innermost; it != nullptr; it = it->outer_) {
    text += fmt::format("  while {}\n", it->what_);
  }
  return text;
}

void FailCheck(std::string_view condition, const char* file, int line,
               const std::string& message) {
  const std::string text = fmt::format(
      "fairlead: bug in fairlead: {} does not hold at {}:{}{}{}\n{}", condition,
      file, line, message.empty() ? "" : ": ", message, DoingText());
  fflush(stdout);
  fputs(Printable(text).c_str(), stderr);
  _exit(static_cast<int>(ExitCode::kOurBug));
}

}  // namespace fairlead
