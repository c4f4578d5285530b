// bench/driver.h
//
// What the drivers here share: the task that their executions begin with, the
// runner for a program, and their main, which hands the words of the command
// line on, says what went wrong, and exits with 0 or 3.

#ifndef FAIRLEAD_BENCH_DRIVER_H_
#define FAIRLEAD_BENCH_DRIVER_H_

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "base/subprocess.h"
#include "explore/campaign/choose_runner.h"
#include "explore/run/program.h"
#include "explore/run/runner.h"
#include "sched/plan.h"

namespace fairlead::bench {

// Without preemption; cut far beyond the length of any of the programs.
inline explore::Task QuietTask() {
  explore::Task task;
  task.plan.flags = abi::kPlanQuiet;
  task.plan.max_steps = 1'000'000;
  task.plan.carrier = abi::CarrierId::kFiber;
  task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kFirst);
  return task;
}

// Runs `argv` from a fork server if it can, and says why if not. `setting` may
// have a client already; the rest is filled in.
inline Result<std::unique_ptr<explore::Runner>> MakeRunner(
    const std::string& runtime, const std::vector<std::string>& argv,
    explore::Setting& setting) {
  setting.argv = argv;
  Result<explore::Program> program = explore::InspectProgram(argv[0]);
  if (!program) return program.error();
  setting.program = *std::move(program);
  setting.environment = OwnEnvironment();
  setting.runtime = runtime;
  auto chosen =
      explore::ChooseRunner(setting, explore::ForkChoice::kMain, QuietTask());
  if (!chosen) return chosen.error();
  for (const std::string& reason : chosen->reasons) Note("{}", reason);
  return std::move(chosen->runner);
}

inline int DriverMain(int argc, char** argv,
                      Status (*measure)(const std::vector<std::string>&)) {
  const Status status = measure({argv + 1, argv + argc});
  if (status) return 0;
  fmt::print(stderr, "driver: {}\n", status.error().Text());
  return 3;
}

}  // namespace fairlead::bench

#endif  // FAIRLEAD_BENCH_DRIVER_H_
