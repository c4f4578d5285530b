// bench/driver.h
//
// What the drivers here share: the task that their executions begin with, and
// their main, which hands the words of the command line on, says what went
// wrong, and exits with 0 or 3.

#ifndef FAIRLEAD_BENCH_DRIVER_H_
#define FAIRLEAD_BENCH_DRIVER_H_

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/runner.h"
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

inline int DriverMain(int argc, char** argv,
                      Status (*measure)(const std::vector<std::string>&)) {
  const Status status = measure({argv + 1, argv + argc});
  if (status) return 0;
  fmt::print(stderr, "driver: {}\n", status.error().Text());
  return 3;
}

}  // namespace fairlead::bench

#endif  // FAIRLEAD_BENCH_DRIVER_H_
