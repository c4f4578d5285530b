// cli/trace.cc
//
// `fairlead trace`: what can be done with a trace file.

#include "cli/command.h"

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
  trace->require_subcommand(1);
  AddTracePrint(*trace, invocation);
  AddTraceStat(*trace, invocation);
  AddTraceSlice(*trace, invocation);
  AddTracePerfetto(*trace, invocation);
}

}  // namespace fairlead::cli
