// cli/run_options.h
//
// What the user may ask of `fairlead run`.

#ifndef FAIRLEAD_CLI_RUN_OPTIONS_H_
#define FAIRLEAD_CLI_RUN_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace fairlead::cli {

struct RunOptions {
  std::string strategy = "random";
  uint64_t seed = 1;
  std::string carrier = "fiber";
  std::string trace;         // file; "" = none
  std::string schedule_out;  // file; "" = none
  std::string schedule;      // file to follow; "" = none
  std::string then;          // strategy behind the schedule; "" = none
  std::string profile;       // file to read; "" = none
  std::string profile_out;   // file to write; "" = none
  uint64_t repetitions = 0;  // of --check-determinism; 0 = not asked
  std::vector<int> ok_exits;
  uint64_t max_steps = 0;  // 0 = no limit
  double timeout_s = 0;    // 0 = no limit
  std::vector<std::string> gdb_arguments;
  bool gdb = false;
  bool frames = false;                // calls of functions are events, too
  std::vector<std::string> left_out;  // kinds of events that are not traced
  bool spurious = false;
  std::string early_timeouts = "short";
  bool force = false;
  bool json = false;
  bool quiet = false;
};

// Makes `run` read them, and adds examples to its help.
void AddRunOptions(CLI::App& run, RunOptions& options);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_RUN_OPTIONS_H_
