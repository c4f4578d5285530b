// cli/run.cc
//
// `fairlead run`: one execution of the program, every choice made by a strategy
// or taken from a schedule. Also `--check-determinism`, which repeats it.

#include <stdio.h>

#include <memory>

#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/debugger.h"
#include "cli/launch.h"
#include "cli/print.h"
#include "explore/judge/divergence.h"
#include "explore/judge/failure_words.h"
#include "explore/judge/uncontrolled.h"
#include "explore/names/trace_recorder.h"

namespace fairlead::cli {
namespace {

using explore::Executed;
using explore::Namer;
using explore::Verdict;

// One execution, with what is kept of it.
class Once {
 public:
  explicit Once(const Launch& launch) : launch_(launch) {}
  Result<ExitCode> Run();

 private:
  Status KeepProfile(const Executed& executed, Namer& namer, OutputFile& file);
  Status KeepSchedule(const Executed& executed, const Verdict& verdict,
                      Namer& namer, OutputFile& file);
  std::string About(const Verdict& verdict) const;
  report::Execution ReportOf(const Executed& executed, const Verdict& verdict,
                             Namer& namer) const;
  void Show(const report::Execution& report, const Executed& executed) const;

  const Launch& launch_;
  const RunOptions& options_ = launch_.options();
  explore::Profiler profiler_;  // watches when a profile is to be written
  explore::EventStream profiled_{profiler_};
};

// The command that repeats the execution. `schedule_kept`: it can follow that.
std::string RepeatCommand(const Launch& launch, bool schedule_kept) {
  const RunOptions& options = launch.options();
  std::vector<std::string> command = {"fairlead", "run"};
  const std::string& schedule =
      schedule_kept ? options.schedule_out : options.schedule;
  if (!schedule.empty()) {
    command.insert(command.end(), {"--schedule", schedule});
  } else {
    command.insert(command.end(), {"--strategy", options.strategy, "--seed",
                                   std::to_string(options.seed)});
  }
  if (options.carrier != "fiber") {
    command.insert(command.end(), {"--carrier", options.carrier});
  }
  if (!options.profile.empty()) {
    command.insert(command.end(), {"--profile", options.profile});
  }
  if (options.spurious) command.push_back("--spurious");
  if (options.max_steps != 0) {
    command.insert(command.end(),
                   {"--max-steps", std::to_string(options.max_steps)});
  }
  command.push_back("--");
  command.insert(command.end(), launch.through().begin(),
                 launch.through().end());
  command.insert(command.end(), launch.argv().begin(), launch.argv().end());
  return ShellCommand(command);
}

std::string Once::About(const Verdict& verdict) const {
  return fmt::format(
      "tool: {}\nprogram: {}\nargv: {}\nstrategy: {}\nseed: {}\n"
      "verdict: {}\nmessage: {}\n",
      Version(), launch_.program().path, ShellCommand(launch_.argv()),
      launch_.schedule() == nullptr ? options_.strategy : "replay",
      options_.seed, WordOf(verdict.word), verdict.sentence);
}

Status Once::KeepProfile(const Executed& executed, Namer& namer,
                         OutputFile& file) {
  if (!profiled_.status()) return profiled_.status();
  const std::string text = profiler_.Finish(*executed.memory, namer);
  if (Status put = file.Write(text); !put) return put;
  return file.Finish();
}

Status Once::KeepSchedule(const Executed& executed, const Verdict& verdict,
                          Namer& namer, OutputFile& file) {
  trace::Schedule schedule =
      explore::ScheduleOf(executed, launch_.identity(), namer);
  schedule.tool = Version();
  schedule.strategy = options_.strategy;
  schedule.seed = options_.seed;
  schedule.carrier = options_.carrier;
  schedule.outcome = WordOf(verdict.word);
  if (executed.outcome.schedule_lost != 0) {
    return Error(ErrorCode::kEnvironment)
        .Say("the schedule is not whole: {} found no room",
             Counted(executed.outcome.schedule_lost, "record"))
        .Hint("cut the execution short with --max-steps");
  }
  const std::string text =
      trace::PrintSchedule(schedule, explore::PlacesOf(executed, namer));
  if (Status put = file.Write(text); !put) return put;
  return file.Finish();
}

report::Execution Once::ReportOf(const Executed& executed,
                                 const Verdict& verdict, Namer& namer) const {
  const abi::Outcome& outcome = executed.outcome;
  const Ending& ending = executed.ending;
  return {
      .ended = EndedOf(verdict),
      .program = {.path = launch_.program().path,
                  .build_id = launch_.program().build_id,
                  .instrumented = launch_.program().instrumented,
                  .signal = ending.signal != 0 ? SignalName(ending.signal) : "",
                  .exit_code = ending.exit_code},
      .strategy = options_.schedule.empty() ? options_.strategy : "replay",
      .seed = options_.seed,
      .carrier = std::string(WordOf(outcome.carrier)),
      .threads = outcome.num_threads,
      .points = outcome.points,
      .steps = outcome.steps,
      .events = outcome.events,
      .event_digest = outcome.event_digest,
      .schedule_digest = outcome.schedule_digest,
      .uncontrolled = explore::UncontrolledLines(outcome, &namer),
      .ignored_annotations = explore::UnheededAnnotations(outcome)};
}

void Once::Show(const report::Execution& report,
                const Executed& executed) const {
  if (options_.json) {
    PrintJsonLine(stderr, report::ExecutionJson(report));
    return;
  }
  if (executed.outcome.status != abi::Status::kNotStarted &&
      report.carrier != options_.carrier) {
    Warn(
        "this program or system does not suit --carrier {}; its threads were "
        "run by --carrier {}",
        options_.carrier, report.carrier);
  }
  const auto length =
      options_.quiet ? report::Length::kShort : report::Length::kFull;
  for (const std::string& line : report::ExecutionLines(report, length)) {
    Note("{}", line);
  }
}

Result<ExitCode> Once::Run() {
  // Both files are made first: one that cannot be written is told before the
  // program has run in vain. Where only room is missing, there is a verdict.
  std::optional<Error> lost;
  std::optional<explore::TraceRecorder> recorder;
  if (!options_.trace.empty()) {
    auto created = explore::TraceRecorder::Create(options_.trace);
    if (created) {
      recorder.emplace(*std::move(created));
    } else if (created.error().code() == ErrorCode::kNoSpace) {
      lost = created.error();
    } else {
      return created.error();
    }
  }
  std::optional<OutputFile> schedule_file;
  if (!options_.schedule_out.empty()) {
    auto created = OutputFile::Create(options_.schedule_out);
    if (!created) return created.error();
    schedule_file.emplace(*std::move(created));
  }
  std::optional<OutputFile> profile_file;
  if (!options_.profile_out.empty()) {
    auto created = OutputFile::Create(options_.profile_out);
    if (!created) return created.error();
    profile_file.emplace(*std::move(created));
  }
  explore::RecordObserver* observer = nullptr;
  if (recorder) observer = &*recorder;
  if (profile_file) observer = &profiled_;
  launch_.SayWhatRecompilingAdds();
  const explore::Order order = launch_.OrderFor(observer);
  const Result<Executed> executed =
      options_.gdb ? ExecuteInGdb(order, options_.gdb_arguments)
                   : explore::Execute(order);
  if (!executed) return executed.error();
  Namer namer(*executed->memory);
  Verdict verdict = explore::Judge(*executed, options_.ok_exits, namer);
  if (verdict.word == explore::VerdictWord::kDiverged &&
      launch_.schedule() != nullptr) {
    verdict.details = explore::DivergenceLines(*executed, *launch_.schedule(),
                                               launch_.doubt(), namer);
  }
  if (verdict.exit == ExitCode::kFindings) {
    verdict.sentence += explore::EarlyText(executed->outcome, namer);
  }
  report::Execution report = ReportOf(*executed, verdict, namer);
  if (recorder) {
    const Status kept = recorder->Finish(namer, About(verdict));
    if (kept) report.trace = options_.trace;
    if (!kept) lost = kept.error();
  }
  if (schedule_file) {
    const Status kept = KeepSchedule(*executed, verdict, namer, *schedule_file);
    if (kept) report.schedule = options_.schedule_out;
    if (!kept) lost = kept.error();
  }
  if (profile_file) {
    const Status kept = KeepProfile(*executed, namer, *profile_file);
    if (!kept) lost = kept.error();
  }
  report.repeat = RepeatCommand(launch_, !report.schedule.empty());
  Show(report, *executed);
  // What was asked for could not be kept: that is told last, and decides,
  // except over a failure of the program.
  if (lost && verdict.exit == ExitCode::kFindings) {
    Tell(*lost, options_.json ? Form::kJson : Form::kText);
    return verdict.exit;
  }
  if (lost) return *lost;
  return verdict.exit;
}

ExitCode RunCommand(const RunOptions& options,
                    const std::vector<std::string>& argv) {
  const Form form = options.json ? Form::kJson : Form::kText;
  RunOptions chosen = options;
  // As threads, so that gdb can show them all.
  if (options.gdb) chosen.carrier = "thread";
  Launch launch(std::move(chosen), argv);
  if (Status prepared = launch.Prepare(); !prepared) {
    return Tell(prepared.error(), form);
  }
  const Result<ExitCode> exit =
      options.repetitions != 0 ? CheckDeterminism(launch) : Once(launch).Run();
  return exit ? *exit : Tell(exit.error(), form);
}

}  // namespace

report::Ended EndedOf(const Verdict& verdict) {
  return {.result = std::string(explore::ResultWord(verdict)),
          .outcome = std::string(WordOf(verdict.word)),
          .title = std::string(verdict.title),
          .sentence = verdict.sentence,
          .details = verdict.details,
          .exit = verdict.exit};
}

void AddRun(CLI::App& app, Invocation& invocation) {
  CLI::App* run = app.add_subcommand(
      "run",
      "Run a program once, every scheduling choice made by a strategy:\n"
      "  fairlead run [OPTIONS] -- PROGRAM [ARGUMENTS...]");
  auto options = std::make_shared<RunOptions>();
  AddRunOptions(*run, *options);
  run->callback([options, &invocation] {
    invocation.action = [options, &invocation] {
      return RunCommand(*options, invocation.program);
    };
  });
}

}  // namespace fairlead::cli
