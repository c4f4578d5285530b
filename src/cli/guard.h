// cli/guard.h
//
// What each verb of `fairlead guard` does, and what several of them need: where
// the guard library is, and the environment that brings it into a program.

#ifndef FAIRLEAD_CLI_GUARD_H_
#define FAIRLEAD_CLI_GUARD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "base/result.h"

namespace fairlead::cli {

// Programs to learn from, and how they are judged.
struct TrainingOptions {
  uint64_t runs = 300;    // at most
  uint64_t settled = 50;  // enough once so many good runs have added nothing
  double time_s = 0;      // of all runs; 0 = no limit
  double timeout_s = 10;  // of one run
  std::vector<int> ok_exits;
  std::string judge;   // command; "" = none
  std::string client;  // command; "" = the program is no server
  std::string stdin_path;
  uint64_t delay_us = 0;  // at most, ahead of every fourth access; 0 = none
};

struct GuardLearnOptions {
  std::string store;
  TrainingOptions training;
  std::string curve;  // CSV file; "" = none
};

struct GuardRunOptions {
  std::string store;
  std::string facts;  // file; "" = fairlead.facts, if it is there
  bool static_sets = false;
  bool observe = false;
  bool print_environment = false;
  uint64_t stall_us = 10'000;
  uint64_t budget_ms = 500;
  uint64_t memory_mb = 256;
  uint64_t delay_us = 0;
  uint64_t off_signal = 0;
  std::string off_file;
  std::string log;
};

struct GuardWatchOptions {
  std::string store;
  std::string facts;
  std::string process;  // a number, or "all"
  bool json = false;
  bool prometheus = false;
};

struct GuardAddOptions {
  std::string store;
  std::string id;
  TrainingOptions training;
};

struct GuardLogOptions {
  std::string store;
  std::string file;
  bool relax = false;
};

using Arguments = std::vector<std::string>;

Result<ExitCode> GuardLearn(const GuardLearnOptions& options,
                            const Arguments& argv);
Result<ExitCode> GuardRun(const GuardRunOptions& options,
                          const Arguments& argv);
Result<ExitCode> GuardStatus(const GuardWatchOptions& options);
Result<ExitCode> GuardOff(const GuardWatchOptions& options);
Result<ExitCode> GuardUpdate(const GuardWatchOptions& options);
Result<ExitCode> GuardAdd(const GuardAddOptions& options);
Result<ExitCode> GuardLog(const GuardLogOptions& options,
                          const Arguments& argv);
Result<ExitCode> GuardCheck(const GuardLogOptions& options);

// The library that is preloaded.
Result<std::string> FindGuard();

// Our environment with the library preloaded and `variables` (NAME=value) set.
std::vector<std::string> GuardEnvironment(
    const std::string& library, const std::vector<std::string>& variables);

// By which facts speak of a program: its file's name.
std::string GuardName(const std::string& path);

// The directory beside the store where rules and logs are; made if need be.
Result<std::string> GuardDirectory(const std::string& store);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_GUARD_H_
