#include "cli/live_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"

namespace fairlead::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw(200);

double Seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

void Put(const std::string& text) {
  [[maybe_unused]] const ssize_t put =
      write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

LiveLine::LiveLine(Show show, uint64_t max_executions,
                   std::optional<std::chrono::nanoseconds> time)
    : shown_(show == Show::kIfTerminal && isatty(STDERR_FILENO) == 1),
      max_executions_(max_executions),
      time_(time) {}

void LiveLine::Update(const explore::Progress& progress) {
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kRedraw;
  const double seconds = Seconds(progress.elapsed);
  std::string line =
      fmt::format("\r\033[K{} executions", Grouped(progress.executions));
  if (max_executions_ != 0) {
    line += fmt::format(" of {}", Grouped(max_executions_));
  }
  if (seconds > 0) {
    line += fmt::format(", {:.0f}/s",
                        static_cast<double>(progress.executions) / seconds);
  }
  if (progress.behaviours != 0) {
    line += fmt::format(", {} behaviours", Grouped(progress.behaviours));
  }
  line += fmt::format(", {}", Counted(progress.num_findings, "finding"));
  if (time_) {
    const double left = Seconds(*time_) - seconds;
    line += fmt::format(", {:.0f} s left", left > 0 ? left : 0);
  }
  Put(line);
  drawn_ = true;
}

void LiveLine::Clear() {
  if (!drawn_) return;
  Put("\r\033[K");
  drawn_ = false;
}

}  // namespace fairlead::cli
