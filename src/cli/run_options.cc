#include "cli/run_options.h"

#include "cli/command.h"
#include "explore/run/strategy_spec.h"
#include "sched/factory.h"

namespace fairlead::cli {
namespace {

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead run -- ./app -n 4\n"
    "      one execution; the same command gives the same execution again\n"
    "  fairlead run --strategy round-robin --trace app.trace -- ./app\n"
    "      keep its events: see fairlead trace --help\n"
    "  fairlead run --seed 7 --schedule-out bug.sched -- ./app\n"
    "  fairlead run --schedule bug.sched -- ./app\n"
    "      keep its schedule, and follow it\n"
    "  fairlead run --profile-out app.profile -- ./app\n"
    "  fairlead run --profile app.profile -- ./app\n"
    "      learn which sites touch nothing shared, and leave them idle\n"
    "  fairlead run --schedule bug.sched --gdb -- ./app\n"
    "      the same inside gdb: `run` there, it stops where the execution "
    "fails\n"
    "  fairlead run -- valgrind -q ./app\n"
    "      inside valgrind; with --carrier thread\n"
    "  fairlead run --check-determinism 20 -- ./app\n"
    "      repeat it and name what differs\n"
    "\n"
    "The program's standard streams are its own; ours is standard error, "
    "whose\n"
    "last line says what came out. Exit codes: 0 the program ended well, 1 it\n"
    "failed, 2 usage, 3 environment, 4 unknown, 70 a bug in fairlead.\n";

// What is wrong with a strategy as the user wrote it; "" = nothing.
std::string StrategyProblem(const std::string& text) {
  const auto spec = explore::ParseStrategySpec(text);
  return spec ? "" : spec.error().Text();
}

}  // namespace

void AddRunOptions(CLI::App& run, RunOptions& options) {
  const CLI::Validator strategies(StrategyProblem, "NAME[:PARAMETERS]");
  run.add_option("--strategy", options.strategy,
                 "Who decides which thread goes on")
      ->check(strategies)
      ->capture_default_str();
  run.add_option("--seed", options.seed, "Seed of all random choices")
      ->check(WholeNumber())
      ->capture_default_str();
  run.add_option("--carrier", options.carrier,
                 "How threads are run: as fibers of one kernel thread (fast), "
                 "or as kernel threads that take turns (what gdb shows)")
      ->check(CLI::IsMember({"fiber", "thread"}))
      ->capture_default_str();
  auto* trace =
      run.add_option("--trace", options.trace, "Write the events to this file");
  run.add_option("--profile-out", options.profile_out,
                 "Write to this file which sites touched nothing shared")
      ->excludes(trace);
  run.add_option("--profile", options.profile,
                 "Leave the sites in this file idle: faster, same behaviours");
  run.add_option("--schedule-out", options.schedule_out,
                 "Write the schedule to this file");
  auto* schedule = run.add_option("--schedule", options.schedule,
                                  "Follow the schedule in this file");
  run.add_option("--then", options.then,
                 "At the end of the schedule go on with this strategy")
      ->check(strategies)
      ->needs(schedule);
  run.add_flag("--force", options.force,
               "Follow the schedule of another program or build")
      ->needs(schedule);
  auto* check =
      run.add_option("--check-determinism", options.repetitions,
                     "Repeat the execution so often and name what differs");
  check->check(CLI::Range(uint64_t{2}, uint64_t{1'000'000}));
  run.add_option(
         "--ok-exit", options.ok_exits,
         "An exit code of the program that is right, besides 0; repeatable")
      ->check(CLI::Range(0, 255));
  run.add_option("--max-steps", options.max_steps,
                 "Cut the execution after so many steps; 0 = never")
      ->check(WholeNumber())
      ->capture_default_str();
  auto* timeout =
      run.add_option("--timeout", options.timeout_s,
                     "Cut the execution after so many seconds; 0 = never")
          ->check(Seconds())
          ->capture_default_str();
  auto* gdb = run.add_flag("--gdb", options.gdb,
                           "Inside gdb, which stops where it fails; with "
                           "--carrier thread and without limits of time")
                  ->excludes(check)
                  ->excludes(timeout);
  run.add_option("--gdb-arg", options.gdb_arguments,
                 "An argument for gdb; repeatable")
      ->needs(gdb)
      ->allow_extra_args(false);
  run.add_flag("--frames", options.frames,
               "Trace calls and returns of the program's own functions as well")
      ->needs(trace);
  run.add_option("--leave-out", options.left_out,
                 "Events that are not traced: requests, marks; repeatable")
      ->needs(trace)
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"requests", "marks"}));
  run.add_flag("--spurious", options.spurious,
               "Condition variables may wake up without a signal");
  AddEarlyTimeouts(run, options.early_timeouts);
  run.add_flag("--json", options.json,
               "The report as one line of JSON on standard error");
  run.add_flag("--quiet", options.quiet, "Only the line with the verdict");
  run.footer("Strategies:\n" + explore::StrategyHelp() + "\n" + kExamples);
}

}  // namespace fairlead::cli
