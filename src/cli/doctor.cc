// cli/doctor.cc
//
// `fairlead doctor`: what this machine allows, and whether a program repeats
// itself under control.

#include <stdio.h>

#include <algorithm>
#include <memory>

#include "base/json.h"
#include "base/log.h"
#include "base/patience.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/print.h"
#include "explore/campaign/checkup.h"
#include "explore/campaign/machine.h"

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

template <typename... Args>
void Say(fmt::format_string<Args...> format, Args&&... args) {
  Print(stdout, fmt::format(format, std::forward<Args>(args)...));
}

void PrintMachine(const std::vector<Ability>& abilities) {
  puts("machine");
  for (const Ability& ability : abilities) {
    Say("  {:<3} {}: {}\n", ability.there ? "ok" : "no", ability.name,
        ability.found);
    if (!ability.there) Say("      remedy: {}\n", ability.remedy);
  }
}

void PrintProgram(const explore::Program& program) {
  Say("program\n  path: {}\n", program.path);
  if (program.instrumented) {
    Say("  instrumented: yes, {}\n", Counted(program.num_sites, "site"));
  } else {
    puts(
        "  instrumented: no; built with CC=fairlead-cc CXX=fairlead-c++, its "
        "memory accesses are controlled, too");
  }
  std::string names;
  for (const std::string& name : program.sanitizers.Names()) {
    names += (names.empty() ? "" : ", ") + name;
  }
  Say("  sanitizers: {}\n", names.empty() ? "none" : names);
}

void PrintCheckup(const Checkup& checkup, const DoctorOptions& options) {
  if (checkup.num_executions == 0) return;
  puts("executions");
  Say("  carrier: {}\n", WordOf(checkup.carrier));
  Say("  threads: {}\n  events: {}\n", checkup.num_threads, checkup.num_events);
  for (const auto& [word, sentence] : checkup.failures) {
    Say("  verdict: {}: {}\n", word, sentence);
  }
  for (const explore::UncontrolledSource& source : checkup.uncontrolled) {
    Say("  not controlled: {} ({})\n      remedy: {}\n", source.text,
        source.number, source.remedy);
  }
  if (!checkup.difference.empty()) {
    Say("  differs with --seed {}:\n", checkup.difference_seed);
    for (const std::string& line : checkup.difference) {
      Say("      {}\n", line);
    }
    if (checkup.uncontrolled.empty()) {
      puts(
          "      remedy: give the program the same files, environment and "
          "input each time; memory that is not initialised, or a library "
          "that counts real time, differs as well");
    }
  }
  if (checkup.num_compared == 0) return;
  Say("  determinism score: {:.2f} ({} of {} equal, {})\n", checkup.Score(),
      checkup.num_equal, Counted(checkup.num_compared, "repetition"),
      Counted(options.repetitions.seeds, "seed"));
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

Json MachineJson(const std::vector<Ability>& abilities) {
  Json list = Json::array();
  for (const Ability& ability : abilities) {
    Json json = {{"name", ability.name},
                 {"need", NeedWord(ability.need)},
                 {"there", ability.there},
                 {"found", ability.found}};
    if (!ability.there) json["remedy"] = ability.remedy;
    list.push_back(std::move(json));
  }
  return list;
}

Json ProgramJson(const explore::Program& program, const Checkup& checkup) {
  Json uncontrolled = Json::array();
  for (const explore::UncontrolledSource& source : checkup.uncontrolled) {
    uncontrolled.push_back({{"what", source.text},
                            {"number", source.number},
                            {"remedy", source.remedy}});
  }
  Json verdicts = Json::array();
  for (const auto& [word, sentence] : checkup.failures) {
    // "verdict" is the name of the outcome in earlier versions.
    verdicts.push_back(
        {{"outcome", word}, {"verdict", word}, {"message", sentence}});
  }
  return {{"path", program.path},
          {"instrumented", program.instrumented},
          {"sites", program.num_sites},
          {"sanitizers", program.sanitizers.Names()},
          {"carrier", WordOf(checkup.carrier)},
          {"executions", checkup.num_executions},
          {"cut", checkup.num_cut},
          {"stopped", checkup.stopped},
          {"threads", checkup.num_threads},
          {"events", checkup.num_events},
          {"score",
           checkup.num_compared != 0 ? Json(checkup.Score()) : Json(nullptr)},
          {"compared", checkup.num_compared},
          {"equal", checkup.num_equal},
          {"difference", checkup.difference},
          {"uncontrolled", uncontrolled},
          {"failures", verdicts}};
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
  if (!options.json) PrintMachine(abilities);
  ExitCode exit = able ? ExitCode::kNothingFound : ExitCode::kEnvironment;
  Json json = {{"command", "doctor"}, {"machine", MachineJson(abilities)}};
  if (able && !argv.empty()) {
    Result<explore::Order> order = explore::OrderFor(argv);
    if (!order) return order.error();
    order->core_dumps = false;
    order->plan.carrier = CarrierOf(options.carrier);
    order->timeout = TimeLimit(options.timeout_s);
    if (!options.json) PrintProgram(order->program);
    Flush(stdout);
    const auto checkup =
        explore::CheckUp(*order, options.repetitions, options.ok_exits);
    if (!checkup) return checkup.error();
    if (!options.json) PrintCheckup(*checkup, options);
    Flush(stdout);
    const std::string doubt = Doubt(*checkup, options);
    if (!options.json && !doubt.empty()) Note("unknown: {}", doubt);
    json["program"] = ProgramJson(order->program, *checkup);
    exit = ExitCodeOf(*checkup);
  }
  json["exit_code"] = static_cast<int>(exit);
  if (options.json) {
    PrintJsonLine(stdout, json);
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
