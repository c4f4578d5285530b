// cli/trace.cc
//
// `fairlead trace`: what can be done with a trace file.

#include <memory>
#include <string>

#include "base/result.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/print.h"

namespace fairlead::cli {

void AddTrace(CLI::App& app, Invocation& invocation) {
  CLI::App* trace = app.add_subcommand(
      "trace", "Read the events of an execution that was kept in a file");
  trace->footer(
      "Examples:\n"
      "  fairlead run --trace app.trace -- ./app\n"
      "  fairlead trace stat app.trace\n"
      "  fairlead trace print app.trace\n"
      "  fairlead trace slice --thread main/1 --kind sync app.trace\n");
  trace->require_subcommand(0, 1);
  // A file without a word about what to do with it.
  auto file = std::make_shared<std::string>();
  trace->add_option("FILE", *file)->group("");
  trace->callback([trace, file, &invocation] {
    if (!trace->get_subcommands().empty()) return;
    invocation.action = [file] {
      const std::string name = file->empty() ? "FILE" : ShellQuote(*file);
      return Tell(
          Error(ErrorCode::kUsage)
              .Say("nothing is said about what to do with {}",
                   file->empty() ? "a trace" : *file)
              .Hint("fairlead trace stat {0}, fairlead trace print {0}, or "
                    "fairlead trace slice {0}",
                    name),
          Form::kText);
    };
  });
  AddTracePrint(*trace, invocation);
  AddTraceStat(*trace, invocation);
  AddTraceSlice(*trace, invocation);
}

}  // namespace fairlead::cli
