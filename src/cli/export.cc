// cli/export.cc
//
// `fairlead export`: a finding as a file that goes with a mail.

#include <stdio.h>

#include <memory>

#include "base/file.h"
#include "base/log.h"
#include "cli/bug_subject.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/print.h"

namespace fairlead::cli {
namespace {

struct ExportOptions {
  std::string id;
  std::string store;
  std::string output;  // file; "" or "-" = standard output
  bool json = false;
};

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead export 1 -o bug.flbug\n"
    "  fairlead replay bug.flbug -- ./app\n"
    "      on the same build by its exact schedule, on another one by the\n"
    "      orders that fairlead minimize found to be enough\n"
    "  fairlead check-fix bug.flbug -- ./patched\n"
    "\n"
    "The file has the command, names of functions and files, and lines of the\n"
    "source: look at it before you send it.\n"
    "\n"
    "Exit codes: 0 it was written, 2 usage, 3 there is no such store, or it\n"
    "cannot be written.\n";

Result<ExitCode> Export(const ExportOptions& options) {
  const Result<finding::BugFile> bug = LoadBug(options.id, options.store);
  if (!bug) return bug.error();
  if (!bug->finding.witness.schedule) {
    return Error(ErrorCode::kNotFound)
        .Say("finding {} has no schedule, so it cannot be repeated",
             options.id);
  }
  const std::string text = JsonText(finding::BugFileJson(*bug));
  const bool to_file = !options.output.empty() && options.output != "-";
  if (to_file) {
    if (Status put = WriteFile(options.output, text); !put) return put.error();
  } else {
    PrintAsIs(stdout, text);
  }
  if (options.json) {
    PrintJsonLine(
        stderr,
        {{"command", "export"},
         {"finding", options.id},
         {"file", options.output},
         {"version", finding::kBugFileVersion},
         {"orders", bug->ordering ? bug->ordering->target.edges.size() : 0}});
  } else if (!bug->ordering) {
    Note(
        "it replays on this build only: no orders are known that are enough; "
        "fairlead minimize {} looks for them",
        options.id);
  }
  return ExitCode::kNothingFound;
}

}  // namespace

void AddExport(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "export", "Write a finding to a file that replays anywhere");
  command->footer(kExamples);
  auto options = std::make_shared<ExportOptions>();
  command->add_option("finding", options->id, "Its number")->required();
  AddStoreOption(*command, options->store);
  command->add_option("-o,--output", options->output,
                      "The file to write; without it, standard output");
  command->add_flag("--json", options->json,
                    "What was written, as one line of JSON on standard error");
  command->callback([options, &invocation] {
    invocation.action = [options] {
      const Result<ExitCode> exit = Export(*options);
      return exit ? *exit
                  : Tell(exit.error(),
                         options->json ? Form::kJson : Form::kText);
    };
  });
}

}  // namespace fairlead::cli
