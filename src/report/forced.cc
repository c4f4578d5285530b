#include "report/forced.h"

#include <fmt/format.h>

#include "base/text.h"

namespace fairlead::report {

std::vector<std::string> ForcedLines(const ForcedTarget& forced) {
  std::vector<std::string> lines;
  for (const std::string& line : forced.why) lines.push_back("  " + line);
  for (const std::string& line : forced.ended.details) {
    lines.push_back("  " + line);
  }
  if (forced.ended.result == "failed") {
    const report::Ended& ended = forced.ended;
    lines.push_back(fmt::format(
        "failed: {}: {}", ended.title.empty() ? ended.outcome : ended.title,
        ended.sentence));
  }
  if (forced.prepared) {
    const size_t more =
        forced.prepared->steps.size() - forced.target.steps.size();
    lines.push_back(fmt::format("  with {}, derived from earlier attempts",
                                Counted(more / 2, "precondition")));
  }
  lines.push_back(
      fmt::format("{}: {}after {}{}", forced.result,
                  forced.stopped ? "stopped by the user " : "",
                  Counted(forced.attempts, "attempt"),
                  forced.further == 0
                      ? ""
                      : fmt::format("; what came of it was looked at {} more",
                                    Counted(forced.further, "time"))));
  return lines;
}

Json ForcedJson(const ForcedTarget& forced) {
  return {{"command", "force"},
          {"result", forced.result},
          {"target", fmt::format("{:#x}", IdentityOf(forced.target))},
          {"attempts", forced.attempts},
          {"further_attempts", forced.further},
          {"stopped", forced.stopped},
          {"steps_done", forced.steps_done},
          {"steps_in_sight", forced.steps_in_sight},
          {"steps", forced.target.steps.size()},
          {"why", forced.why},
          {"preconditions",
           forced.prepared ? finding::TargetJson(*forced.prepared) : Json()},
          {"outcome", forced.ended.outcome},
          {"verdict", forced.ended.outcome},  // its name in earlier versions
          {"message", forced.ended.sentence},
          {"exit_code", static_cast<int>(forced.ended.exit)}};
}

}  // namespace fairlead::report
