#include "cli/command.h"

#include <fmt/core.h>
#include <stdio.h>

#include <charconv>
#include <limits>

#include "base/json.h"
#include "base/log.h"
#include "base/printable.h"
#include "cli/print.h"

namespace fairlead::cli {

ExitCode Tell(const Error& error, Form form) {
  if (form == Form::kJson) {
    const Json json = {{"result", "error"}, {"error", ErrorJson(error)}};
    PrintJsonLine(stderr, json);
  } else {
    Fail("{}", PrintableLine(error.Text()));
  }
  return static_cast<ExitCode>(ExitCodeOf(error.code()));
}

abi::CarrierId CarrierOf(std::string_view word) {
  return word == "thread" ? abi::CarrierId::kThread : abi::CarrierId::kFiber;
}

std::string_view WordOf(abi::CarrierId carrier) {
  return carrier == abi::CarrierId::kThread ? "thread" : "fiber";
}

void AddEarlyTimeouts(CLI::App& command, std::string& word) {
  command
      .add_option("--early-timeouts", word,
                  "Which time-outs and sleeps may pass while other threads "
                  "could go on: none (never), time-outs of up to a second and "
                  "sleeps of up to ten (short), all (any)")
      ->check(CLI::IsMember({"never", "short", "any"}))
      ->capture_default_str();
}

uint64_t EarlyFlagOf(std::string_view word) {
  if (word == "never") return abi::kPlanEarlyNever;
  if (word == "any") return abi::kPlanEarlyAny;
  return abi::kPlanEarlyByDefault;
}

std::optional<std::chrono::nanoseconds> TimeLimit(double seconds) {
  if (!(seconds > 0)) return {};
  return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
}

CLI::Validator WholeNumber() {
  return {[](const std::string& text) -> std::string {
            uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            if (read.ec == std::errc() && read.ptr == end) return "";
            return fmt::format("'{}' is no whole number from 0 to {}", text,
                               std::numeric_limits<uint64_t>::max());
          },
          "NUMBER"};
}

CLI::Validator Seconds() {
  // More than anybody waits, and it fits as nanoseconds.
  constexpr double kMost = 1e9;
  return {[](const std::string& text) -> std::string {
            double value = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            if (read.ec == std::errc() && read.ptr == end && value >= 0 &&
                value <= kMost) {
              return "";
            }
            return fmt::format("'{}' is no number of seconds", text);
          },
          "SECONDS"};
}

std::string Version() { return FAIRLEAD_VERSION; }

}  // namespace fairlead::cli
