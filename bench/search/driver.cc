// How many executions a strategy needs until a program fails. One line for each
// seed: the number of the first execution that failed, counted from 1, or 0 if
// none did, and for what.
//
//   driver RUNTIME STRATEGY FIRST_SEED SEEDS MAX_EXECUTIONS -- PROGRAM ARGS…
//
// What `fairlead test --stop-at-first` would do, without judging outputs and
// without a store: every execution planned by explore/plan/planner.h, run by
// the fork server, and learnt.

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/text.h"
#include "bench/driver.h"
#include "explore/plan/planner.h"
#include "explore/run/program.h"

namespace fairlead::explore {
namespace {

bool Failed(const Executed& executed) {
  switch (executed.outcome.status) {
    case abi::Status::kEnded:
      return executed.outcome.exit_code != 0;
    case abi::Status::kSignaled:
    case abi::Status::kDeadlock:
    case abi::Status::kLivelock:
    case abi::Status::kMisuse:
      return true;
    default:
      return false;
  }
}

Task TaskFor(const Planned& planned) {
  Task task = bench::QuietTask();
  planned.WriteTo(task.plan);
  task.follow.choices = planned.prefix;
  task.follow.weights = planned.weights;
  return task;
}

// Number of the first execution that failed; 0 = none.
Result<uint64_t> FirstFailure(Runner& runner, Planner& planner,
                              uint64_t max_executions) {
  for (uint64_t i = 1; i <= max_executions; ++i) {
    const std::optional<Planned> planned = planner.Next();
    if (!planned) return 0;
    if (Status started = runner.Start(0, TaskFor(*planned)); !started) {
      return started.error();
    }
    std::optional<Finished> finished;
    while (!finished) {
      auto next = runner.Next(std::chrono::milliseconds(1000));
      if (!next) return next.error();
      finished = std::move(*next);
    }
    const Executed& executed = finished->executed;
    if (Failed(executed)) return i;
    const bool ended = executed.outcome.status == abi::Status::kEnded;
    planner.Learn(*planned, ObservedOf(executed, ended ? Observed::End::kOk
                                                       : Observed::End::kCut));
  }
  return 0;
}

Status Measure(const std::vector<std::string>& words) {
  const auto dashes = std::ranges::find(words, "--");
  if (dashes - words.begin() != 5 || dashes + 1 == words.end()) {
    return Error(ErrorCode::kUsage)
        .Say("driver RUNTIME STRATEGY FIRST_SEED SEEDS MAX -- PROGRAM ARGS");
  }
  Setting setting;
  auto runner = bench::MakeRunner(words[0], {dashes + 1, words.end()}, setting);
  if (!runner) return runner.error();
  const uint64_t first = ParseNumber(words[2]).value_or(1);
  const uint64_t seeds = ParseNumber(words[3]).value_or(1);
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    const auto planner = MakePlanner(words[1], seed);
    if (!planner) return planner.error();
    const Result<uint64_t> failed =
        FirstFailure(**runner, **planner, ParseNumber(words[4]).value_or(1000));
    if (!failed) return failed.error();
    fmt::print("{} {}\n", *failed, (*planner)->Remark());
    fflush(stdout);
  }
  return {};
}

}  // namespace
}  // namespace fairlead::explore

int main(int argc, char** argv) {
  return fairlead::bench::DriverMain(argc, argv, fairlead::explore::Measure);
}
