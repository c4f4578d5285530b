#include "cli/test_options.h"

#include "cli/command.h"
#include "cli/facts.h"
#include "cli/findings.h"
#include "cli/formats.h"
#include "cli/look_for.h"
#include "explore/run/strategy_spec.h"

namespace fairlead::cli {
namespace {

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead test -- ./app -n 4\n"
    "      look for a minute, stop at the first finding\n"
    "  fairlead test --executions 5000 --keep-going -- ./app\n"
    "  fairlead test --time 10m --json result.json -- ./app\n"
    "      for CI: exit code 1 and a file if something was found\n"
    "  fairlead test --sarif out.sarif --junit out.xml --format github -- "
    "./app\n"
    "      for code scanning, a CI server, and annotations in its log\n"
    "  fairlead test --same-output -- ./app\n"
    "      what is printed must not depend on the schedule\n"
    "  fairlead test --gtest --junit out.xml -- ./shop_test\n"
    "      each test for itself; one case, one finding each\n"
    "  fairlead test --client 'curl -sf localhost:8080' -- ./server 8080\n"
    "  fairlead test --judge 'grep -q done \"$FAIRLEAD_STDOUT\"' -- ./app\n"
    "\n"
    "What it finds is kept: fairlead bugs lists it, fairlead show N explains\n"
    "it, fairlead replay N repeats it. What the program prints is not shown.\n"
    "Exit codes: 0 nothing found, 1 findings, 2 usage, 3 environment,\n"
    "4 unknown, 70 a bug in fairlead.\n";

// How long, and when to stop.
void AddBudget(CLI::App& test, TestOptions& options) {
  test.add_option("--time", options.time,
                  "Stop after this time (60s, 10m, 1h); 60s if --executions "
                  "is not given");
  test.add_option("--executions", options.executions,
                  "Stop after so many executions; 0 = no limit. Repetitions "
                  "that confirm a finding do not count, nor does the first "
                  "execution, which only shows how to run the program, if it "
                  "ends well")
      ->check(WholeNumber())
      ->capture_default_str();
  auto* first = test.add_flag("--stop-at-first", options.stop_at_first,
                              "Stop at the first finding (the default); data "
                              "races of low severity are collected, and stop "
                              "nothing");
  test.add_flag("--keep-going", options.keep_going,
                "Look for more until the budget is spent")
      ->excludes(first);
  test.add_option("--timeout-per-execution", options.timeout_s,
                  "Cut an execution, or its judge, after so many seconds; 0 "
                  "= never")
      ->check(Seconds())
      ->capture_default_str();
  test.add_option("--max-steps", options.max_steps,
                  "Cut an execution after so many steps; 0 = never")
      ->check(WholeNumber())
      ->capture_default_str();
  test.add_option("--jobs", options.jobs, "Executions at once")
      ->check(CLI::Range(uint64_t{1}, uint64_t{256}))
      ->capture_default_str();
}

// What is right, besides what is wrong in any program.
void AddOracles(CLI::App& test, TestOptions& options) {
  test.add_option(
          "--ok-exit", options.ok_exits,
          "An exit code of the program that is right, besides 0; repeatable")
      ->check(CLI::Range(0, 255));
  auto* expect = test.add_option("--expect-output", options.expect_output,
                                 "Standard output must be as in this file");
  test.add_flag("--same-output", options.same_output,
                "Standard output must be one that threads give that run one "
                "after the other")
      ->excludes(expect);
  test.add_option("--judge", options.judge,
                  "A command that says by exit code 0 that an execution is "
                  "right, and by 1 to 125 that it is not; $FAIRLEAD_STDOUT, "
                  "$FAIRLEAD_STDERR are files, $FAIRLEAD_EXIT_CODE a number");
  test.add_option("--fail-on", options.fail_on,
                  "The least severity of a finding that makes the exit code 1: "
                  "info, low, medium or high")
      ->check(CLI::IsMember({"info", "low", "medium", "high"}))
      ->capture_default_str();
  test.add_option("--suppressions", options.suppressions,
                  "A file of suppressions only, besides those of --facts; "
                  "default: suppressions beside the store");
  AddFactsOption(test, options.facts);
  test.add_flag("--strict", options.strict,
                "Not ok (exit code 4) if something ran beside the threads "
                "under control: child processes, for instance");
}

// What the program finds around it.
void AddSurroundings(CLI::App& test, TestOptions& options) {
  test.add_option("--stdin", options.stdin_path,
                  "What the program reads as standard input; nothing if not "
                  "given");
  test.add_option("--client,--drive", options.drive,
                  "The program is a server: run this command against it when "
                  "it listens, or says that it is ready, and then end it by "
                  "SIGTERM; the command must exit with 0");
  test.add_flag("--fresh-dir", options.fresh_dir,
                "Run each execution, and its judge, in a private copy of this "
                "directory: files that it writes are gone before the next");
  test.add_option("--before", options.before,
                  "A command to run before each execution, such as one that "
                  "puts back what it changes; it must exit with 0");
  test.add_option("--fork-at", options.fork_at,
                  "Where executions are forked from: main, start (before "
                  "constructors), or never (a new process each)")
      ->check(CLI::IsMember({"main", "start", "never"}))
      ->capture_default_str();
}

// Tests of a framework, each for itself.
void AddTests(CLI::App& test, TestOptions& options) {
  const char* each =
      "The program is a test binary of this framework: explore each of its "
      "tests for itself, within the budget";
  auto* gtest = test.add_flag("--gtest", options.gtest, each);
  auto* catch2 =
      test.add_flag("--catch2", options.catch2, each)->excludes(gtest);
  auto* doctest = test.add_flag("--doctest", options.doctest, each)
                      ->excludes(gtest)
                      ->excludes(catch2);
  test.add_option("--ctest", options.ctest,
                  "The same of each test that CTest knows in this build "
                  "directory; no program follows")
      ->excludes(gtest)
      ->excludes(catch2)
      ->excludes(doctest);
  test.add_option("--test-name", options.test_name,
                  "What findings are named after, besides the program");
}

// Where to look.
void AddSearch(CLI::App& test, TestOptions& options) {
  test.add_option("--strategy", options.strategy,
                  "How schedules are chosen; see below")
      ->capture_default_str();
  test.add_option("--seed", options.seed, "Seed of all random choices")
      ->check(WholeNumber())
      ->capture_default_str();
  test.add_flag_callback(
      "--no-predict", [&options] { options.predict = false; },
      "With --strategy auto, do not first force what is predicted from one "
      "execution");
  test.add_flag_callback(
      "--no-minimize", [&options] { options.minimize = false; },
      "Do not make the schedules of what is found smaller, which takes a tenth "
      "of the time, and at most five seconds");
  AddLookFor(test, options.look_for);
  test.add_flag("--application-only", options.application_only,
                "Force no interleavings with steps in libraries");
  test.add_flag("--forget", options.forget,
                "Begin without what is known of the program's interleavings");
  test.add_flag("--all-sites", options.all_sites,
                "Switch also at accesses to memory that is not shared");
  test.add_flag("--spurious", options.spurious,
                "Condition variables may wake up without a signal");
  AddEarlyTimeouts(test, options.early_timeouts);
}

// What is told, and where it is kept.
void AddResults(CLI::App& test, TestOptions& options) {
  AddStoreOption(test, options.store);
  AddFormatOption(test, options.format, &report::Format::campaign);
  test.add_option(
      "--json", options.json,
      "Write the result to this file as JSON; - = print it instead of "
      "the report");
  ReportFiles::AddOptions(test, options.files);
  test.add_flag("--all", options.all,
                "Also tell which predictions happened without an observable "
                "effect, and which data races are harmless on most machines "
                "or only possible");
  auto* quiet = test.add_flag("--quiet", options.quiet,
                              "Only findings and the last line");
  test.add_flag("--verbose", options.verbose,
                "Also how the search went: behaviours, predictions, iRoots")
      ->excludes(quiet);
}

// Puts the options that `add` adds under a heading of their own.
void AddGroup(CLI::App& test, TestOptions& options, const char* heading,
              void (*add)(CLI::App&, TestOptions&)) {
  const size_t before = test.get_options().size();
  add(test, options);
  const std::vector<CLI::Option*> all = test.get_options();
  for (size_t i = before; i < all.size(); ++i) all[i]->group(heading);
}

}  // namespace

void AddTestOptions(CLI::App& test, TestOptions& options) {
  AddGroup(test, options, "Budget", AddBudget);
  AddGroup(test, options, "What is right", AddOracles);
  AddGroup(test, options, "How the program is run", AddSurroundings);
  AddGroup(test, options, "Test frameworks", AddTests);
  AddGroup(test, options, "How schedules are chosen", AddSearch);
  AddGroup(test, options, "Results", AddResults);
  test.footer(std::string("Strategies:\n") +
              "  auto         takes turns with several of these, by what each "
              "has brought\n" +
              explore::StrategyHelp() +
              "  maple        forces predicted interleavings one by one; see "
              "fairlead coverage\n" +
              "\n" + kExamples);
}

}  // namespace fairlead::cli
