#include "cli/run_report.h"

#include <stdio.h>

#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/print.h"
#include "explore/judge/uncontrolled.h"

namespace fairlead::cli {
namespace {

Json Hex(uint64_t number) { return fmt::format("{:#x}", number); }

Json ReportJson(const RunReport& report) {
  const abi::Outcome& outcome = report.executed.outcome;
  const Ending& ending = report.executed.ending;
  Json json = {
      {"command", "run"},
      {"result", explore::ResultWord(report.verdict)},
      {"outcome", WordOf(report.verdict.word)},
      {"verdict", WordOf(report.verdict.word)},  // its name in earlier versions
      {"message", report.verdict.sentence},
      {"details", report.verdict.details},
      {"exit_code", static_cast<int>(report.verdict.exit)},
  };
  json["program"] = {{"path", report.program.path},
                     {"build_id", report.program.build_id},
                     {"instrumented", report.program.instrumented}};
  if (ending.signal != 0) {
    json["program"]["signal"] = SignalName(ending.signal);
  } else {
    json["program"]["exit_code"] = ending.exit_code;
  }
  json["strategy"] =
      report.options.schedule.empty() ? report.options.strategy : "replay";
  json["seed"] = report.options.seed;
  json["carrier"] = WordOf(outcome.carrier);
  json["threads"] = outcome.num_threads;
  json["points"] = outcome.points;
  json["steps"] = outcome.steps;
  json["events"] = outcome.events;
  json["event_digest"] = Hex(outcome.event_digest);
  json["schedule_digest"] = Hex(outcome.schedule_digest);
  json["uncontrolled"] = report.uncontrolled;
  json["ignored_annotations"] = explore::UnheededAnnotations(outcome);
  if (report.schedule_kept) json["schedule"] = report.options.schedule_out;
  if (report.trace_kept) json["trace"] = report.options.trace;
  json["repeat"] = RepeatCommand(report);
  return json;
}

void PrintLines(const RunReport& report) {
  const explore::Verdict& verdict = report.verdict;
  const abi::Outcome& outcome = report.executed.outcome;
  if (outcome.status != abi::Status::kNotStarted &&
      WordOf(outcome.carrier) != report.options.carrier) {
    Warn(
        "this program or system does not suit --carrier {}; its threads were "
        "run by --carrier {}",
        report.options.carrier, WordOf(outcome.carrier));
  }
  if (!report.options.quiet) {
    for (const std::string& line : verdict.details) Note("  {}", line);
    for (const std::string& line : report.uncontrolled) {
      Note("not controlled: {}", line);
    }
    for (const std::string& name : explore::UnheededAnnotations(outcome)) {
      Note("nothing is judged by {} yet", name);
    }
    if (verdict.exit != ExitCode::kNothingFound) {
      Note("repeat with: {}", RepeatCommand(report));
    }
  }
  const std::string_view result = explore::ResultWord(verdict);
  if (verdict.word == explore::VerdictWord::kOk) {
    Note("{}: {}", result, verdict.sentence);
  } else {
    Note("{}: {}: {}", result, WordOf(verdict.word), verdict.sentence);
  }
}

}  // namespace

std::string RepeatCommand(const RunReport& report) {
  const RunOptions& options = report.options;
  std::vector<std::string> command = {"fairlead", "run"};
  const std::string& schedule =
      report.schedule_kept ? options.schedule_out : options.schedule;
  if (!schedule.empty()) {
    command.insert(command.end(), {"--schedule", schedule});
  } else {
    command.insert(command.end(), {"--strategy", options.strategy, "--seed",
                                   std::to_string(options.seed)});
  }
  if (options.carrier != "fiber") {
    command.insert(command.end(), {"--carrier", options.carrier});
  }
  if (!options.profile.empty()) {
    command.insert(command.end(), {"--profile", options.profile});
  }
  if (options.spurious) command.push_back("--spurious");
  if (options.max_steps != 0) {
    command.insert(command.end(),
                   {"--max-steps", std::to_string(options.max_steps)});
  }
  command.push_back("--");
  command.insert(command.end(), report.through.begin(), report.through.end());
  command.insert(command.end(), report.argv.begin(), report.argv.end());
  return ShellCommand(command);
}

void PrintRunReport(const RunReport& report) {
  if (!report.options.json) {
    PrintLines(report);
    return;
  }
  PrintJsonLine(stderr, ReportJson(report));
}

}  // namespace fairlead::cli
