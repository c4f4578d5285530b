// cli/run_report.h
//
// What `fairlead run` tells at its end, on standard error: as lines of which
// the last says the verdict, or as one line of JSON.

#ifndef FAIRLEAD_CLI_RUN_REPORT_H_
#define FAIRLEAD_CLI_RUN_REPORT_H_

#include <string>
#include <vector>

#include "cli/run_options.h"
#include "explore/judge/verdict.h"
#include "explore/run/execution.h"

namespace fairlead::cli {

struct RunReport {
  const RunOptions& options;
  const explore::Program& program;
  const std::vector<std::string>& argv;
  const std::vector<std::string>& through;  // ahead of them; see valgrind.h
  const explore::Executed& executed;
  explore::Verdict verdict;
  std::vector<std::string> uncontrolled;
  bool schedule_kept = false;  // `schedule_out` was written
  bool trace_kept = false;     // `trace` was written
};

void PrintRunReport(const RunReport& report);

// The command that repeats the execution.
std::string RepeatCommand(const RunReport& report);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_RUN_REPORT_H_
