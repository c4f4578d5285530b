// Executions per second, of one program on one core.
//
//   bench_rate RUNTIME fresh|fork|fork-start|in-process PROGRAM NUMBER
//   bench_rate - bare PAGES NUMBER
//
// Prints executions per second, and page faults of one execution where they are
// known. `bare` forks children that only write to PAGES pages and exit: what
// the kernel alone costs.

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/log.h"
#include "base/subprocess.h"
#include "explore/run/runner.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void GiveUp(const Error& error) {
  Fail("{}", error.Text());
  exit(1);
}

void StayOnOneCore() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  sched_setaffinity(0, sizeof(set), &set);
}

Finished RunOne(Runner& runner, const Task& task) {
  const Status started = runner.Start(0, task);
  if (!started) GiveUp(started.error());
  while (true) {
    auto next = runner.Next(std::chrono::milliseconds(1000));
    if (!next) GiveUp(next.error());
    if (*next) return **std::move(next);
  }
}

void MeasureRunner(const std::string& runtime, const std::string& kind,
                   const std::string& path, uint64_t number) {
  const Result<Program> program = InspectProgram(path);
  if (!program) GiveUp(program.error());
  const Setting setting = {.program = *program,
                           .argv = {path},
                           .environment = OwnEnvironment(),
                           .runtime = runtime,
                           .stdin_path = ""};
  auto runner = kind == "fork"         ? MakeForkRunner(setting, ForkAt::kMain)
                : kind == "fork-start" ? MakeForkRunner(setting, ForkAt::kStart)
                                       : MakeFreshRunner(setting);
  if (!runner) GiveUp(runner.error());
  Task task;
  task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kRandom);
  task.plan.flags = abi::kPlanQuiet;
  if (kind == "in-process") {
    task.plan.flags |= abi::kPlanExplore;
    task.plan.explore_iterations = number;
    const auto start = Clock::now();
    const Finished finished = RunOne(**runner, task);
    const double seconds = Since(start);
    if (finished.executed.outcome.status != abi::Status::kEnded) exit(1);
    std::printf(
        "%.0f\n",
        static_cast<double>(finished.executed.outcome.explored) / seconds);
    return;
  }
  task.plan.flags |= abi::kPlanRecord;
  uint64_t faults = 0;
  const auto start = Clock::now();
  for (uint64_t seed = 1; seed <= number; ++seed) {
    task.plan.seed = seed;
    const Finished finished = RunOne(**runner, task);
    if (finished.executed.outcome.status != abi::Status::kEnded) exit(1);
    faults += finished.executed.memory->page().server.page_faults;
  }
  std::printf("%.0f %.0f\n", static_cast<double>(number) / Since(start),
              static_cast<double>(faults) / static_cast<double>(number));
}

void MeasureBareFork(size_t pages, uint64_t number) {
  const size_t bytes = pages * 4096;
  auto* memory =
      static_cast<volatile char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
  uint64_t faults = 0;
  const auto start = Clock::now();
  for (uint64_t i = 0; i < number; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (size_t at = 0; at < bytes; at += 4096) memory[at] = 2;
      _exit(0);
    }
    int status = 0;
    rusage usage = {};
    wait4(child, &status, 0, &usage);
    faults += static_cast<uint64_t>(usage.ru_minflt);
  }
  std::printf("%.0f %.0f\n", static_cast<double>(number) / Since(start),
              static_cast<double>(faults) / static_cast<double>(number));
}

}  // namespace
}  // namespace fairlead::explore

int main(int argc, char** argv) {
  using namespace fairlead::explore;
  if (argc != 5) {
    std::fprintf(stderr, "usage: see the head of bench/rate/rate.cc\n");
    return 2;
  }
  StayOnOneCore();
  const std::string kind = argv[2];
  const uint64_t number = std::strtoull(argv[4], nullptr, 10);
  if (kind == "bare") {
    MeasureBareFork(std::strtoull(argv[3], nullptr, 10), number);
  } else {
    MeasureRunner(argv[1], kind, argv[3], number);
  }
}
