// cli/show.cc
//
// `fairlead show`: everything that is known of one finding.

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/formats.h"
#include "cli/print.h"
#include "cli/report_files.h"

namespace fairlead::cli {
namespace {

struct ShowOptions {
  std::string id;
  std::string store;
  std::string schedule;  // file to write; "" = none
  size_t width = 0;      // 0 = the terminal's
  std::string format;
  bool verbose = false;
  bool full = false;
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
  report::KeptFinding kept = KeptOf(*stored);
  const finding::Finding shown = SmallestOf(*stored, kept.facts);
  kept.finding = &shown;
  if (stored->finding.witness.schedule) {
    const std::string replay =
        FindingCommand("replay", stored->id, options.store);
    kept.commands.push_back("repeat:  " + replay + CommandOptions(*stored));
    kept.commands.push_back("debug:   " + replay + " --gdb");
    if (!stored->explanation || !stored->explanation->ordering) {
      kept.commands.push_back(
          "explain: " + FindingCommand("minimize", stored->id, options.store));
    }
  }
  kept.commands.push_back("clear:   " +
                          FindingCommand("clear", stored->id, options.store));
  const size_t width = options.width != 0 ? options.width : TerminalWidth();
  const report::Format& format = FormatOf(options.format);
  report::View view = PlainView();
  view.verbose = options.verbose;
  view.full = options.full;
  view.width = width;
  const std::string text = format.finding(kept, view);
  if (format.name == report::kTextFormat.name) {
    PrintFinding(stdout, text);
  } else {
    Print(stdout, text);
  }
  return ExitCode::kNothingFound;
}

}  // namespace

void AddShow(CLI::App& app, Invocation& invocation) {
  CLI::App* show = app.add_subcommand(
      "show", "Explain a finding: what happened, in which order, where");
  show->footer(
      "Examples:\n"
      "  fairlead show 1\n"
      "  fairlead show 1 --full\n"
      "      every step that is kept, not only those that decide\n"
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
  AddFormatOptions(*show, options->format, &report::Format::finding);
  show->add_flag("--verbose", options->verbose,
                 "Also which strategy found it, with which seed");
  show->add_flag("--full", options->full,
                 "Every step that is kept of it, not only those that decide");
  show->callback([options, &invocation] {
    invocation.action = [options] {
      const Result<ExitCode> exit = Run(*options);
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli
