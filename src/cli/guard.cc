// cli/guard.cc
//
// `fairlead guard`: the verbs, and what each may be asked.

#include "cli/guard.h"

#include <memory>

#include "cli/command.h"
#include "cli/facts.h"
#include "cli/findings.h"

namespace fairlead::cli {
namespace {

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead guard learn -- ./app   from good runs: which order is meant\n"
    "  fairlead guard run -- ./app     keep that order while it runs free\n"
    "  fairlead guard add 1            a guard for what fairlead test found\n"
    "  fairlead guard status           what the guards of processes count\n"
    "  fairlead guard off all          now\n"
    "\n"
    "The program is the one that was built with fairlead-cc; its sets are "
    "kept\n"
    "as facts (fairlead facts show order). docs/reference/guard.md.\n";

template <typename Options>
using Verb = Result<ExitCode> (*)(const Options&);

template <typename Options>
std::shared_ptr<Options> SetAction(CLI::App& verb, Invocation& invocation,
                                   Verb<Options> run) {
  auto options = std::make_shared<Options>();
  verb.callback([options, run, &invocation] {
    invocation.action = [options, run] {
      const Result<ExitCode> exit = run(*options);
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
  return options;
}

// The same for verbs that are given a program.
template <typename Options>
std::shared_ptr<Options> SetProgramAction(
    CLI::App& verb, Invocation& invocation,
    Result<ExitCode> (*run)(const Options&, const Arguments&)) {
  auto options = std::make_shared<Options>();
  const std::string name = verb.get_name();
  verb.callback([options, run, name, &invocation] {
    invocation.action = [options, run, name, &invocation] {
      if (invocation.program.empty()) {
        return Tell(Error(ErrorCode::kUsage)
                        .Say("no program is given")
                        .Hint("fairlead guard {} -- ./app", name),
                    Form::kText);
      }
      const Result<ExitCode> exit = run(*options, invocation.program);
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
  return options;
}

void AddTrainingOptions(CLI::App& verb, TrainingOptions& training) {
  verb.add_option("--runs", training.runs, "At most so many runs (300)")
      ->check(WholeNumber());
  verb.add_option("--settled", training.settled,
                  "Enough once so many good runs have shown nothing new (50)")
      ->check(WholeNumber());
  verb.add_option("--time", training.time_s,
                  "Stop after this many seconds; default: no limit")
      ->check(Seconds());
  verb.add_option("--timeout-per-run", training.timeout_s,
                  "A run that takes more seconds is neither right nor wrong "
                  "(10)")
      ->check(Seconds());
  verb.add_option("--ok-exit", training.ok_exits,
                  "Also right: this exit code; may be repeated");
  verb.add_option("--judge", training.judge,
                  "A command that says by its exit code whether a run was "
                  "right, as for fairlead test");
  verb.add_option("--client", training.client,
                  "The program is a server: a command that uses it, and whose "
                  "exit code decides");
  verb.add_option("--stdin", training.stdin_path, "A file to read from");
  verb.add_option("--delay-us", training.delay_us,
                  "Every fourth access first waits for up to so many "
                  "microseconds: more orders are seen; default: none does")
      ->check(WholeNumber());
}

void AddLearn(CLI::App& guard, Invocation& invocation) {
  CLI::App* verb = guard.add_subcommand(
      "learn",
      "Learn from runs which order of accesses is meant:\n"
      "  fairlead guard learn [OPTIONS] -- PROGRAM [ARGUMENTS...]");
  verb->footer(
      "Runs the program free, again and again, and keeps what runs that were\n"
      "right had in common; one that failed adds nothing. Repeat it with\n"
      "other arguments and inputs: sets grow together.\n"
      "Exit codes: 0 learnt, 2 usage, 3 nothing could be learnt, 4 stopped.\n");
  const auto options = SetProgramAction(*verb, invocation, GuardLearn);
  AddStoreOption(*verb, options->store);
  AddTrainingOptions(*verb, options->training);
  verb->add_option("--curve", options->curve,
                   "Write how the sets grew, run by run, as CSV");
}

void AddRunVerb(CLI::App& guard, Invocation& invocation) {
  CLI::App* verb = guard.add_subcommand(
      "run",
      "Run a program guarded, in place of this command:\n"
      "  fairlead guard run [OPTIONS] -- PROGRAM [ARGUMENTS...]");
  const auto options = SetProgramAction(*verb, invocation, GuardRun);
  AddStoreOption(*verb, options->store);
  AddFactsOption(*verb, options->facts);
  verb->add_flag("--static", options->static_sets,
                 "Sets of sites alone, as in the paper: how a thread came to "
                 "a predecessor is no matter");
  verb->add_flag("--observe", options->observe,
                 "Count violations, and stall nobody");
  verb->add_flag("--print-environment", options->print_environment,
                 "Print the variables that guard the program, and run nothing");
  verb->add_option("--stall-us", options->stall_us,
                   "Microseconds that an access may be stalled (10000)")
      ->check(WholeNumber());
  verb->add_option("--budget-ms", options->budget_ms,
                   "Milliseconds that all threads may be stalled in a second "
                   "(500)")
      ->check(WholeNumber());
  verb->add_option("--memory-mb", options->memory_mb,
                   "Memory for what accesses are remembered by (256)")
      ->check(WholeNumber());
  verb->add_option("--delay-us", options->delay_us,
                   "For experiments: every fourth guarded access first "
                   "waits for up to so many microseconds")
      ->check(WholeNumber());
  verb->add_option("--off-signal", options->off_signal,
                   "The number of a signal that switches the guard off")
      ->check(WholeNumber());
  verb->add_option("--off-file", options->off_file,
                   "The guard switches itself off when this file is there");
  verb->add_option("--log", options->log,
                   "The file for violations; default: guard/PROGRAM.log beside "
                   "the store");
}

void AddWatching(CLI::App& guard, Invocation& invocation) {
  const auto add = [&](const char* name, const char* description,
                       Verb<GuardWatchOptions> run) {
    CLI::App* verb = guard.add_subcommand(name, description);
    auto options = SetAction(*verb, invocation, run);
    return std::pair(verb, options);
  };
  auto [status, status_options] =
      add("status", "What the guards of running processes count", GuardStatus);
  status->add_option("process", status_options->process,
                     "Its number; default: all");
  status->add_flag("--json", status_options->json, "As JSON");
  status->add_flag("--prometheus", status_options->prometheus,
                   "In the text format of Prometheus");
  auto [off, off_options] =
      add("off", "Switch the guard of a process off", GuardOff);
  off->add_option("process", off_options->process, "Its number, or all")
      ->required();
  auto [update, update_options] = add(
      "update", "Have running processes read their sets again", GuardUpdate);
  update->add_option("process", update_options->process, "Its number, or all")
      ->required();
  AddStoreOption(*update, update_options->store);
  AddFactsOption(*update, update_options->facts);
}

void AddAfterwards(CLI::App& guard, Invocation& invocation) {
  CLI::App* add = guard.add_subcommand(
      "add", "Guard the sites of a finding, from runs that were right");
  const auto add_options = SetAction(*add, invocation, GuardAdd);
  add->add_option("id", add_options->id, "The finding, as in fairlead bugs")
      ->required();
  AddStoreOption(*add, add_options->store);
  AddTrainingOptions(*add, add_options->training);
  CLI::App* check = guard.add_subcommand(
      "check", "What an execution did that good runs did not");
  check->footer(
      "Examples:\n"
      "  fairlead replay 1 --trace 1.trace\n"
      "  fairlead guard check 1.trace\n"
      "\n"
      "Exit code: 1 if there is any such access.\n");
  const auto check_options = SetAction(*check, invocation, GuardCheck);
  check->add_option("trace", check_options->file, "A file of its events")
      ->required();
  AddStoreOption(*check, check_options->store);
  CLI::App* log =
      guard.add_subcommand("log",
                           "What a guard has met, from its log:\n"
                           "  fairlead guard log FILE [OPTIONS] -- PROGRAM");
  const auto log_options = SetProgramAction(*log, invocation, GuardLog);
  log->add_option("file", log_options->file, "The log")->required();
  log->add_flag("--propose", log_options->relax,
                "Propose to allow all of it, as facts that somebody accepts");
  AddStoreOption(*log, log_options->store);
}

}  // namespace

void AddGuard(CLI::App& app, Invocation& invocation) {
  CLI::App* guard = app.add_subcommand(
      "guard", "Learn which order is meant, and keep it in production");
  guard->footer(kExamples);
  guard->require_subcommand(1);
  AddLearn(*guard, invocation);
  AddRunVerb(*guard, invocation);
  AddWatching(*guard, invocation);
  AddAfterwards(*guard, invocation);
}

}  // namespace fairlead::cli
