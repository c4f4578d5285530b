// cli/show.cc
//
// `fairlead show`: everything that is known of one finding.

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <memory>
#include <set>

#include "base/text.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/live_line.h"
#include "cli/print.h"
#include "report/text.h"

namespace fairlead::cli {
namespace {

struct ShowOptions {
  std::string id;
  std::string store;
  std::string schedule;  // file to write; "" = none
  size_t width = 0;      // 0 = the terminal's
  bool json = false;
  bool verbose = false;
};

// Without a terminal: what fits a wide page.
constexpr size_t kDefaultWidth = 120;

size_t TerminalWidth() {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 60) {
    return kDefaultWidth;
  }
  return size.ws_col;
}

// Waits that had to end by their time for this to happen; "" = none. A schedule
// may let a deadline pass however far away it is, so a reader must know.
std::string Timeouts(const trace::Trace& slice) {
  size_t number = 0;
  std::set<trace::Place> places;
  for (const trace::Event& event : slice.events) {
    if (!event.has(abi::kFlagTimedOut)) continue;
    ++number;
    if (const trace::Place* place = slice.names.PlaceOf(event)) {
      places.insert(*place);
    }
  }
  if (number == 0) return "";
  std::string text =
      number == 1 ? "timeouts: 1 wait ends by its time"
                  : fmt::format("timeouts: {} waits end by their time", number);
  const char* separator = ": ";
  for (const trace::Place& place : places) {
    text += separator + trace::PlaceText(place);
    separator = ", ";
  }
  return text;
}

// What was forced, and what came of it.
void AddAim(const finding::Aim& aim, std::vector<std::string>& facts) {
  for (const std::string& line : aim.tried) facts.push_back("tried: " + line);
  for (const std::string_view line :
       Split(finding::PrintTarget(aim.target), '\n')) {
    if (!line.empty()) facts.push_back(fmt::format("target: {}", line));
  }
}

std::vector<std::string> Facts(const store::StoredFinding& stored,
                               bool verbose) {
  std::vector<std::string> facts;
  const finding::Finding& finding = stored.finding;
  if (store::IsPrediction(stored.id)) {
    facts.push_back(fmt::format("predicted in {}; no execution has shown it",
                                Counted(stored.num_campaigns, "campaign")));
    if (finding.witness.aim) AddAim(*finding.witness.aim, facts);
    return facts;
  }
  std::string line =
      fmt::format("found in execution {}", Grouped(stored.first_execution));
  if (verbose && finding.witness.schedule) {
    line += fmt::format(" ({}, seed {})", finding.witness.schedule->strategy,
                        finding.witness.schedule->seed);
  }
  facts.push_back(line +
                  fmt::format("; seen {} in {}", Counted(stored.times, "time"),
                              Counted(stored.num_campaigns, "campaign")));
  if (finding.witness.schedule) {
    facts.push_back(fmt::format(
        "schedule: {} {}", Grouped(finding.witness.schedule->choices.size()),
        finding.witness.schedule->choices.size() == 1 ? "switch" : "switches"));
  }
  if (verbose && finding.witness.aim) AddAim(*finding.witness.aim, facts);
  if (std::string text = Timeouts(finding.witness.slice); !text.empty()) {
    facts.push_back(std::move(text));
  }
  if (stored.setting.contains("argv") && stored.setting["argv"].is_array()) {
    std::vector<std::string> argv;
    for (const Json& word : stored.setting["argv"]) {
      if (word.is_string()) argv.push_back(word);
    }
    facts.push_back("command: " + ShellCommand(argv));
  }
  return facts;
}

// The commands that replay must be given: the judge of a finding that one has
// made, and what is run before each execution.
std::string CommandOptions(const store::StoredFinding& stored) {
  std::string options;
  const auto add = [&](const char* key) {
    const auto command = stored.setting.find(key);
    if (command == stored.setting.end() || !command->is_string()) return;
    const auto text = command->get<std::string>();
    if (text.empty()) return;
    options += fmt::format(" --{} {}", key, ShellQuote(text));
  };
  if (stored.finding.kind == finding::Kind::kJudge) add("judge");
  add("before");
  return options;
}

Result<ExitCode> Run(const ShowOptions& options) {
  const Result<store::FindingId> id = ParseFindingId(options.id);
  if (!id) return id.error();
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) return store.error();
  const Result<store::StoredFinding> stored = (*store)->Load(*id);
  if (!stored) return stored.error();
  if (!options.schedule.empty()) {
    if (!stored->finding.witness.schedule) {
      return Error(ErrorCode::kNotFound)
          .Say("finding {} has no schedule", options.id);
    }
    if (Status put = WriteFile(
            options.schedule,
            trace::PrintSchedule(*stored->finding.witness.schedule, {}));
        !put) {
      return put.error();
    }
  }
  if (options.json) {
    PrintJson(stdout, FindingJson(*stored));
    return ExitCode::kNothingFound;
  }
  report::FindingReport report = {
      .finding = &stored->finding,
      .heading = fmt::format("finding {} of {}: {}, {}, {}",
                             store::NameOf(stored->id), TypedName(*stored),
                             finding::WordOf(stored->finding.severity),
                             finding::WordOf(stored->finding.verdict),
                             store::WordOf(stored->status)),
      .facts = Facts(*stored, options.verbose),
      .commands = {}};
  if (stored->finding.witness.schedule) {
    const std::string replay =
        FindingCommand("replay", stored->id, options.store);
    report.commands.push_back("repeat:  " + replay + CommandOptions(*stored));
    report.commands.push_back("debug:   " + replay + " --gdb");
  }
  report.commands.push_back("clear:   " +
                            FindingCommand("clear", stored->id, options.store));
  const size_t width = options.width != 0 ? options.width : TerminalWidth();
  Print(stdout, report::TextReport(report, width));
  return ExitCode::kNothingFound;
}

}  // namespace

void AddShow(CLI::App& app, Invocation& invocation) {
  CLI::App* show = app.add_subcommand(
      "show", "Explain a finding: what happened, in which order, where");
  show->footer(
      "Examples:\n"
      "  fairlead show 1\n"
      "  fairlead show 1 --schedule-out bug.sched\n"
      "  fairlead run --schedule bug.sched -- ./app\n"
      "      keep its schedule, and follow it\n"
      "\n"
      "Exit codes: 0 it was shown, 2 there is no such finding, 3 there is no\n"
      "store.\n");
  auto options = std::make_shared<ShowOptions>();
  show->add_option("finding", options->id, "Its number")->required();
  AddStoreOption(*show, options->store);
  show->add_option("--schedule-out", options->schedule,
                   "Write its schedule to this file");
  show->add_option("--width", options->width,
                   "Characters in a line; 0 = as the terminal")
      ->check(WholeNumber())
      ->capture_default_str();
  show->add_flag("--json", options->json, "As JSON, without the events");
  show->add_flag("--verbose", options->verbose,
                 "Also which strategy found it, with which seed");
  show->callback([options, &invocation] {
    invocation.action = [options] {
      const Result<ExitCode> exit = Run(*options);
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli
