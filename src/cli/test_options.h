// cli/test_options.h
//
// What the user may ask of `fairlead test`.

#ifndef FAIRLEAD_CLI_TEST_OPTIONS_H_
#define FAIRLEAD_CLI_TEST_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/report_files.h"

namespace fairlead::cli {

struct TestOptions {
  std::string strategy = "auto";
  uint64_t seed = 1;
  uint64_t executions = 0;  // 0 = no limit
  std::string time;         // "60s"; "" = none
  uint64_t jobs = 1;
  std::string fork_at = "main";
  bool stop_at_first = false;
  bool keep_going = false;
  bool all_sites = false;
  bool spurious = false;
  std::string early_timeouts = "short";
  bool quiet = false;
  bool verbose = false;
  bool strict = false;  // what runs beside controlled threads makes it unknown
  double timeout_s = 10;   // of one execution; 0 = none
  uint64_t max_steps = 0;  // of one execution; 0 = none
  std::vector<int> ok_exits;
  std::string stdin_path;     // "" = nothing to read
  std::string expect_output;  // file; "" = none
  bool same_output = false;
  bool minimize = true;  // make schedules of what is found small
  bool predict = true;  // with `auto`: force what the first execution foretells
  std::vector<std::string> look_for;  // words; empty = all
  bool all = false;                   // tell what had no observable effect
  std::string fail_on = "low";    // least severity that makes the exit code 1
  bool application_only = false;  // iRoots of libraries are not forced
  bool forget = false;            // what is known of the program's iRoots
  std::string drive;              // command; "" = the program is no server
  bool fresh_dir = false;         // a private directory for each execution
  std::string before;             // command ahead of each; "" = none
  std::string judge;              // command; "" = none
  std::string suppressions;       // file; "" = beside the store, if there
  std::string facts;              // file; "" = fairlead.facts, if it is there
  std::string store;
  std::string json;  // file; "" = none
  std::string format;
  ReportFiles::Paths files;
  bool gtest = false;     // each test of a GoogleTest binary by itself
  bool catch2 = false;    // likewise
  bool doctest = false;   // likewise
  std::string ctest;      // build directory; "" = not
  std::string test_name;  // of the test that the program runs; "" = none
};

// Makes `test` read them, and adds examples to its help.
void AddTestOptions(CLI::App& test, TestOptions& options);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TEST_OPTIONS_H_
