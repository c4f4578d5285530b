#include "report/execution.h"

#include <fmt/format.h>

#include "base/text.h"

namespace fairlead::report {
namespace {

Json Hex(uint64_t number) { return fmt::format("{:#x}", number); }

Json ProgramJson(const Execution::Program& program) {
  Json json = {{"path", program.path},
               {"build_id", program.build_id},
               {"instrumented", program.instrumented}};
  if (!program.signal.empty()) {
    json["signal"] = program.signal;
  } else {
    json["exit_code"] = program.exit_code;
  }
  return json;
}

// "ok", "failed: crash".
std::string ResultText(const Ended& ended) {
  return ended.outcome == "ok"
             ? ended.result
             : fmt::format("{}: {}", ended.result, ended.outcome);
}

}  // namespace

Json ExecutionJson(const Execution& execution) {
  const Ended& ended = execution.ended;
  Json json = {
      {"command", "run"},
      {"result", ended.result},
      {"outcome", ended.outcome},
      {"verdict", ended.outcome},  // its name in earlier versions
      {"message", ended.sentence},
      {"details", ended.details},
      {"exit_code", static_cast<int>(ended.exit)},
      {"program", ProgramJson(execution.program)},
      {"strategy", execution.strategy},
      {"seed", execution.seed},
      {"carrier", execution.carrier},
      {"threads", execution.threads},
      {"points", execution.points},
      {"steps", execution.steps},
      {"events", execution.events},
      {"event_digest", Hex(execution.event_digest)},
      {"schedule_digest", Hex(execution.schedule_digest)},
      {"uncontrolled", execution.uncontrolled},
      {"ignored_annotations", execution.ignored_annotations},
  };
  if (!execution.schedule.empty()) json["schedule"] = execution.schedule;
  if (!execution.trace.empty()) json["trace"] = execution.trace;
  json["repeat"] = execution.repeat;
  return json;
}

std::vector<std::string> ExecutionLines(const Execution& execution,
                                        Length length) {
  const Ended& ended = execution.ended;
  std::vector<std::string> lines;
  if (length == Length::kFull) {
    for (const std::string& line : ended.details) lines.push_back("  " + line);
    for (const std::string& line : execution.uncontrolled) {
      lines.push_back("not controlled: " + line);
    }
    for (const std::string& name : execution.ignored_annotations) {
      lines.push_back(fmt::format("nothing is judged by {} yet", name));
    }
    if (ended.exit != ExitCode::kNothingFound) {
      lines.push_back("repeat with: " + execution.repeat);
    }
  }
  lines.push_back(fmt::format("{}: {}", ResultText(ended), ended.sentence));
  return lines;
}

std::string RepetitionsLine(const Repetitions& repetitions) {
  if (repetitions.differences.empty()) {
    return fmt::format(
        "{}: {} were equal in every event: {}", ResultText(repetitions.first),
        Counted(repetitions.number, "execution"), repetitions.first.sentence);
  }
  return fmt::format(
      "unknown: not deterministic: {} of {} differ from the first",
      repetitions.differences.size(),
      Counted(repetitions.number - 1, "repetition"));
}

Json RepetitionsJson(const Repetitions& repetitions) {
  Json differences = Json::array();
  for (const Repetitions::Difference& each : repetitions.differences) {
    differences.push_back(
        {{"repetition", each.repetition}, {"lines", each.lines}});
  }
  const Ended& first = repetitions.first;
  return {
      {"command", "run"},
      {"result", repetitions.differences.empty() ? first.result : "unknown"},
      {"outcome", first.outcome},
      {"verdict", first.outcome},  // its name in earlier versions
      {"message", first.sentence},
      {"repetitions", repetitions.number},
      {"different", repetitions.differences.size()},
      {"differences", differences},
      {"exit_code", static_cast<int>(repetitions.exit)}};
}

}  // namespace fairlead::report
