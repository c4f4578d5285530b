// cli/doctor.cc
//
// `fairlead doctor`: what this machine allows, and whether a program repeats
// itself under control.

#include <stdio.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/log.h"
#include "base/patience.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/print.h"
#include "explore/campaign/checkup.h"
#include "explore/campaign/machine.h"
#include "report/doctor.h"

namespace fairlead::cli {
namespace {

using explore::Ability;
using explore::Checkup;
using explore::Need;

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead doctor\n"
    "      what this kernel and container allow\n"
    "  fairlead doctor -- ./app -n 4\n"
    "      and how far ./app repeats itself, and what keeps it from it\n"
    "\n"
    "The score is the share of repetitions that were equal in every event:\n"
    "1.00 = all. The program's output is thrown away; its standard input is\n"
    "the same each time: ours, unless that is a terminal. Exit codes: 0 all is "
    "well,\n"
    "1 the score is below 1 or something is not controlled, 2 usage, 3 this\n"
    "machine cannot run programs under control, 4 stopped by the user, or\n"
    "executions were cut.\n";

struct DoctorOptions {
  explore::Repetitions repetitions;
  std::string carrier = "fiber";
  std::vector<int> ok_exits;
  double timeout_s = 60;
  bool json = false;
};

std::string_view NeedWord(Need need) {
  switch (need) {
    case Need::kNone:
      return "fact";
    case Need::kUseful:
      return "useful";
    case Need::kVital:
      return "vital";
  }
  return "fact";
}

std::vector<report::MachineAbility> MachineOf(
    const std::vector<Ability>& abilities) {
  std::vector<report::MachineAbility> machine;
  for (const Ability& ability : abilities) {
    machine.push_back({.name = std::string(ability.name),
                       .need = std::string(NeedWord(ability.need)),
                       .there = ability.there,
                       .found = ability.found,
                       .remedy = ability.remedy});
  }
  return machine;
}

report::Repeatability ProgramOf(const explore::Program& program) {
  return {.path = program.path,
          .instrumented = program.instrumented,
          .sites = program.num_sites,
          .sanitizers = program.sanitizers.Names()};
}

// Adds what its executions showed.
void TakeCheckup(const Checkup& checkup, const DoctorOptions& options,
                 report::Repeatability& program) {
  program.carrier = WordOf(checkup.carrier);
  program.executions = checkup.num_executions;
  program.cut = checkup.num_cut;
  program.stopped = checkup.stopped;
  program.threads = checkup.num_threads;
  program.events = checkup.num_events;
  if (checkup.num_compared != 0) program.score = checkup.Score();
  program.compared = checkup.num_compared;
  program.equal = checkup.num_equal;
  program.seeds = options.repetitions.seeds;
  program.difference_seed = checkup.difference_seed;
  program.difference = checkup.difference;
  for (const explore::UncontrolledSource& source : checkup.uncontrolled) {
    program.uncontrolled.push_back({.what = source.text,
                                    .number = source.number,
                                    .remedy = std::string(source.remedy)});
  }
  for (const auto& [word, sentence] : checkup.failures) {
    program.failures.push_back({.outcome = word, .message = sentence});
  }
}

// Why less is known than was asked for; "" = it is not.
std::string Doubt(const Checkup& checkup, const DoctorOptions& options) {
  if (checkup.stopped) {
    return fmt::format(
        "stopped by the user after {} of {}", checkup.num_executions,
        Counted(options.repetitions.seeds * options.repetitions.each,
                "execution"));
  }
  if (checkup.num_cut == 0) return "";
  return fmt::format("{} of {} cut; see --timeout", checkup.num_cut,
                     Counted(checkup.num_executions, "execution"));
}

ExitCode ExitCodeOf(const Checkup& checkup) {
  if (checkup.stopped) return ExitCode::kUnknown;
  if (checkup.num_equal != checkup.num_compared ||
      !checkup.uncontrolled.empty()) {
    return ExitCode::kFindings;
  }
  return checkup.num_cut != 0 ? ExitCode::kUnknown : ExitCode::kNothingFound;
}

Result<ExitCode> Examine(const DoctorOptions& options,
                         const Invocation& invocation) {
  const std::vector<std::string>& argv = invocation.program;
  if (invocation.has_program && argv.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("no program")
        .Hint("put it behind two dashes: fairlead doctor -- ./app");
  }
  const std::vector<Ability> abilities = explore::ExamineMachine();
  if (HadEnough() == Enough::kUser) {
    return Error(ErrorCode::kInterrupted)
        .Say("stopped by the user while the machine was examined");
  }
  const bool able = std::ranges::none_of(abilities, [](const Ability& ability) {
    return ability.need == Need::kVital && !ability.there;
  });
  const std::vector<report::MachineAbility> machine = MachineOf(abilities);
  if (!options.json) Print(stdout, report::MachineText(machine));
  ExitCode exit = able ? ExitCode::kNothingFound : ExitCode::kEnvironment;
  std::optional<report::Repeatability> program;
  if (able && !argv.empty()) {
    Result<explore::Order> order = explore::OrderFor(argv);
    if (!order) return order.error();
    order->core_dumps = false;
    order->plan.carrier = CarrierOf(options.carrier);
    order->timeout = TimeLimit(options.timeout_s);
    program = ProgramOf(order->program);
    if (!options.json) Print(stdout, report::ProgramText(*program));
    Flush(stdout);
    const auto checkup =
        explore::CheckUp(*order, options.repetitions, options.ok_exits);
    if (!checkup) return checkup.error();
    TakeCheckup(*checkup, options, *program);
    if (!options.json) Print(stdout, report::RepeatabilityText(*program));
    Flush(stdout);
    const std::string doubt = Doubt(*checkup, options);
    if (!options.json && !doubt.empty()) Note("unknown: {}", doubt);
    exit = ExitCodeOf(*checkup);
  }
  if (options.json) {
    PrintJsonLine(stdout, report::DoctorJson(
                              machine, program ? &*program : nullptr, exit));
  }
  return exit;
}

}  // namespace

void AddDoctor(CLI::App& app, Invocation& invocation) {
  CLI::App* doctor = app.add_subcommand(
      "doctor",
      "Say what this machine allows, and how far a program repeats itself:\n"
      "  fairlead doctor [OPTIONS] [-- PROGRAM [ARGUMENTS...]]");
  doctor->footer(kExamples);
  auto options = std::make_shared<DoctorOptions>();
  doctor
      ->add_option("--seeds", options->repetitions.seeds,
                   "Different schedules to try")
      ->check(CLI::Range(uint64_t{1}, uint64_t{10'000}))
      ->capture_default_str();
  doctor
      ->add_option("--repetitions", options->repetitions.each,
                   "Executions of each of them")
      ->check(CLI::Range(uint64_t{2}, uint64_t{10'000}))
      ->capture_default_str();
  doctor->add_option("--carrier", options->carrier, "fiber or thread")
      ->check(CLI::IsMember({"fiber", "thread"}))
      ->capture_default_str();
  doctor
      ->add_option(
          "--ok-exit", options->ok_exits,
          "An exit code of the program that is right, besides 0; repeatable")
      ->check(CLI::Range(0, 255));
  doctor
      ->add_option("--timeout", options->timeout_s,
                   "Cut an execution after so many seconds; 0 = never")
      ->check(Seconds())
      ->capture_default_str();
  doctor->add_flag("--json", options->json,
                   "The report as one line of JSON on standard output");
  doctor->callback([options, &invocation] {
    invocation.action = [options, &invocation] {
      const Form form = options->json ? Form::kJson : Form::kText;
      const Result<ExitCode> exit = Examine(*options, invocation);
      if (exit) return *exit;
      Flush(stdout);
      return Tell(exit.error(), form);
    };
  });
}

}  // namespace fairlead::cli
