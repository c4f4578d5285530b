// cli/replay.cc
//
// `fairlead replay`: repeats a finding from its schedule, as often as wanted,
// on either carrier, also under gdb.

#include <stdio.h>

#include <memory>

#include "base/log.h"
#include "base/text.h"
#include "cli/bug_replay.h"
#include "cli/command.h"
#include "cli/debugger.h"
#include "cli/findings.h"
#include "cli/print.h"
#include "cli/rerun.h"
#include "explore/campaign/apart_list.h"
#include "explore/campaign/race_list.h"
#include "explore/judge/describe.h"
#include "explore/judge/divergence.h"
#include "explore/judge/verdict.h"
#include "explore/names/trace_recorder.h"
#include "explore/run/interrupt.h"
#include "explore/run/record_tee.h"
#include "explore/watch/event_stream.h"

namespace fairlead::cli {
namespace {

using explore::Finished;
using explore::Judgement;

// Why an execution that went well inside gdb does not say that a finding of
// this kind is gone.
std::string_view UnseenInGdb(finding::Kind kind) {
  switch (kind) {
    case finding::Kind::kOutput:
      return "what it printed was not compared";
    case finding::Kind::kJudge:
      return "the judge was not asked";
    case finding::Kind::kClient:
      return "the client was not run";
    case finding::Kind::kRace:
    case finding::Kind::kTogether:
      return "nobody watched for it";
    default:
      return "it did not fail like that";
  }
}

class Replay {
 public:
  explicit Replay(ReplayOptions options) : options_(std::move(options)) {}
  Result<ExitCode> Run();

 private:
  Result<ExitCode> RunTimes();
  // `done` repetitions were made, of which `same` failed as they should; of a
  // client's finding, the server did what its schedule says.
  std::string LastLine(uint64_t same, uint64_t done) const;
  Status KeepTrace(const Finished& finished, explore::TraceRecorder& recorder);
  Result<ExitCode> RunInGdb();
  // How one repetition ended, in words; "" = like the finding, as far as is
  // known. `races` are
  // those that were seen in it, if it was asked for them; `apart` likewise, of
  // data that is out of step.
  std::string Difference(const Finished& finished, const Judgement& judgement,
                         explore::RaceWatch* races, explore::ApartWatch* apart);
  bool IsClients() const {
    return rerun_.finding().kind == finding::Kind::kClient;
  }
  bool IsRace() const { return rerun_.finding().kind == finding::Kind::kRace; }
  bool IsApart() const {
    return rerun_.finding().kind == finding::Kind::kTogether &&
           rerun_.finding().witness.aim.has_value();
  }

  ReplayOptions options_;
  Rerun rerun_{options_};
};

std::string Replay::Difference(const Finished& finished,
                               const Judgement& judgement,
                               explore::RaceWatch* races,
                               explore::ApartWatch* apart) {
  explore::Namer namer(*finished.executed.memory);
  if (finished.executed.outcome.status == abi::Status::kDivergence) {
    std::string text = explore::ForcedText(rerun_.schedule()).empty()
                           ? "it left the schedule"
                           : "it could not be repeated exactly";
    for (const std::string& line : explore::DivergenceLines(
             finished.executed, rerun_.schedule(), rerun_.doubt(), namer)) {
      text += "\n  " + line;
    }
    return text;
  }
  if (rerun_.finding().kind == finding::Kind::kOutput) {
    return judgement.end == Judgement::End::kOk ? "" : "the output differs";
  }
  if (judgement.end == Judgement::End::kCut) {
    return "it was cut: " + judgement.reason;
  }
  if (races != nullptr) {
    const bool again = explore::IsAmong(rerun_.finding(), races->Finish(namer));
    return again ? "" : "the race was not seen";
  }
  if (apart != nullptr) {
    const bool again = explore::IsApart(apart->Finish(namer),
                                        rerun_.finding().witness.aim->target);
    return again ? "" : "the two were not mixed";
  }
  if (explore::IsFollowed(rerun_.finding().kind, judgement)) return "";
  if (!judgement.failure) return "it did not fail";
  const finding::Finding again =
      explore::Describe(*judgement.failure, finished, namer);
  if (again.fingerprint == rerun_.finding().fingerprint) return "";
  return "it failed in another way: " + again.message;
}

Status Replay::KeepTrace(const Finished& finished,
                         explore::TraceRecorder& recorder) {
  explore::Namer namer(*finished.executed.memory);
  const trace::Schedule& schedule = rerun_.schedule();
  return recorder.Finish(
      namer, fmt::format("tool: {}\nprogram: {}\nargv: {}\nstrategy: replay\n"
                         "seed: {}\nverdict: {}\nmessage: {}\n",
                         Version(), rerun_.setting().program.path,
                         ShellCommand(rerun_.setting().argv), schedule.seed,
                         finding::WordOf(rerun_.finding().kind),
                         rerun_.finding().message));
}

Result<ExitCode> Replay::RunTimes() {
  const explore::InterruptWatch interrupts;
  std::optional<explore::TraceRecorder> recorder;
  if (!options_.trace.empty()) {
    auto created = explore::TraceRecorder::Create(options_.trace);
    if (!created) return created.error();
    recorder.emplace(*std::move(created));
  }
  Result<std::unique_ptr<explore::Runner>> runner =
      explore::MakeFreshRunner(rerun_.setting());
  if (!runner) return runner.error();
  explore::Oracles oracles(rerun_.ExpectationsOf());
  const explore::Repetition repetition = rerun_.RepetitionOf();
  const explore::FollowedInputs inputs =
      explore::LayOutInputs(repetition.schedule->inputs);
  uint64_t same = 0;
  uint64_t done = 0;
  std::string difference;
  for (; done < options_.times && interrupts.signal() == 0; ++done) {
    explore::Task task = explore::TaskFor(repetition, inputs);
    explore::RaceWatch races(repetition.schedule->quiet.idle.empty());
    explore::EventStream stream(races);
    explore::ApartWatch apart;
    explore::EventStream apart_stream(apart);
    explore::RecordTee tee;
    if (IsRace()) tee.Add(stream);
    if (IsApart()) {
      tee.Add(apart_stream);
      task.plan.flags |= apart.plan_flags();
    }
    if (recorder && done == 0) tee.Add(*recorder);
    if (!tee.empty()) {
      task.plan.flags |= abi::kPlanTrace;
      task.observer = &tee;
    }
    const Result<explore::Judged> judged =
        explore::RunAndJudge(**runner, task, oracles);
    if (!judged) return judged.error();
    const Finished* finished = &judged->finished;
    if (done == 0) {
      PrintAsIs(stdout, finished->output->Output());
      Flush(stdout);
      PrintAsIs(stderr, finished->output->Error());
    }
    Judgement judgement = judged->judgement;
    if (judgement.end == Judgement::End::kUnable) return *judgement.error;
    if (judgement.end == Judgement::End::kStopped) break;
    if (recorder && done == 0) {
      if (Status kept = KeepTrace(*finished, *recorder); !kept) {
        return kept.error();
      }
    }
    explore::RaceWatch* watched = IsRace() ? &races : nullptr;
    std::string how =
        Difference(*finished, judgement, watched, IsApart() ? &apart : nullptr);
    // What was suppressed when it was found may be what is seen first.
    while (!IsRace() && !IsApart() && !how.empty() && judgement.failure &&
           !judgement.silent) {
      oracles.Silence(judgement.failure->key);
      judgement = oracles.Judge(*finished, &judged->watched);
      if (judgement.failure && !judgement.silent &&
          Difference(*finished, judgement, nullptr, nullptr).empty()) {
        how.clear();
      }
    }
    if (how.empty()) ++same;
    if (!how.empty() && difference.empty()) difference = how;
  }
  const std::string forced = explore::ForcedText(*repetition.schedule);
  if (done != 0 && difference.empty() && !forced.empty()) Note("{}", forced);
  if (!difference.empty()) Note("{}", difference);
  Note("{}", LastLine(same, done));
  return same == done && done == options_.times && !IsClients()
             ? ExitCode::kFindings
             : ExitCode::kUnknown;
}

std::string Replay::LastLine(uint64_t same, uint64_t done) const {
  const std::string_view how = IsRace()      ? "showed the race of"
                               : IsApart()   ? "mixed the two units of"
                               : IsClients() ? "went like"
                                             : "failed like";
  const std::string like = fmt::format(
      "{} finding {}: {}: {}{}", how, static_cast<uint64_t>(rerun_.id()),
      finding::TitleOf(rerun_.finding().kind), rerun_.finding().message,
      IsClients() ? "; its client was not run, so whether it fails again is "
                    "not known"
                  : "");
  if (done == options_.times) {
    return fmt::format("{}{} of {} {}", IsClients() ? "unknown: " : "", same,
                       done, like);
  }
  const std::string stopped =
      fmt::format("unknown: stopped by the user after {} of {}", done,
                  Counted(options_.times, "repetition"));
  return done == 0 ? stopped : fmt::format("{}; {} {}", stopped, same, like);
}

Result<ExitCode> Replay::RunInGdb() {
  const explore::Repetition repetition = rerun_.RepetitionOf();
  const explore::FollowedInputs inputs =
      explore::LayOutInputs(repetition.schedule->inputs);
  explore::Task task = explore::TaskFor(repetition, inputs);
  const Result<explore::Executed> executed =
      ExecuteInGdb({.program = rerun_.setting().program,
                    .argv = rerun_.setting().argv,
                    .environment = rerun_.setting().environment,
                    .plan = task.plan,
                    .follow = task.follow,
                    .runtime = rerun_.setting().runtime},
                   options_.gdb_arguments);
  if (!executed) return executed.error();
  explore::Namer namer(*executed->memory);
  const explore::Verdict verdict =
      explore::Judge(*executed, rerun_.ExpectationsOf().ok_exits, namer);
  if (verdict.word != explore::VerdictWord::kOk) {
    Note("{}: {}: {}", explore::ResultWord(verdict), WordOf(verdict.word),
         verdict.sentence);
    return verdict.exit;
  }
  Note("unknown: {}; finding {} is: {}: {}; {}", verdict.sentence,
       static_cast<uint64_t>(rerun_.id()),
       finding::TitleOf(rerun_.finding().kind), rerun_.finding().message,
       UnseenInGdb(rerun_.finding().kind));
  return ExitCode::kUnknown;
}

Result<ExitCode> Replay::Run() {
  if (Status prepared = rerun_.Prepare(); !prepared) return prepared.error();
  return options_.gdb ? RunInGdb() : RunTimes();
}

}  // namespace

// A schedule is of one build.
static Error OtherProgram(const std::string& id) {
  return Error(ErrorCode::kUsage)
      .Say("a finding is replayed with the program that showed it")
      .Hint("of another one: fairlead check-fix {} -- PROGRAM", id);
}

void AddReplay(CLI::App& app, Invocation& invocation) {
  CLI::App* replay =
      app.add_subcommand("replay", "Repeat a finding from its schedule");
  replay->footer(
      "Examples:\n"
      "  fairlead replay 1\n"
      "  fairlead replay 1 --times 100 --carrier thread\n"
      "  fairlead replay 1 --gdb\n"
      "  fairlead replay 1 --trace bug.trace\n"
      "      keep all of its events: see fairlead trace --help\n"
      "  fairlead replay bug.flbug -- ./app\n"
      "      a bug of somebody else's: on the same build by its exact "
      "schedule,\n"
      "      on another one by the orders that are enough\n"
      "\n"
      "Exit codes: 1 it failed like that every time, 4 it did not, or was\n"
      "stopped before, or nobody can tell: the client of a server is not run "
      "again;\n"
      "inside gdb neither output nor judge is asked.\n");
  auto options = std::make_shared<ReplayOptions>();
  replay
      ->add_option("finding", options->id,
                   "Its number, or a file of fairlead export")
      ->required();
  AddStoreOption(*replay, options->store);
  auto* times = replay->add_option("--times", options->times, "How often")
                    ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}))
                    ->capture_default_str();
  replay
      ->add_option("--carrier", options->carrier,
                   "How threads are run: fiber or thread")
      ->check(CLI::IsMember({"fiber", "thread"}))
      ->capture_default_str();
  auto* gdb = replay
                  ->add_flag("--gdb", options->gdb,
                             "Once, inside gdb, which stops where it fails")
                  ->excludes(times);
  replay
      ->add_option("--gdb-arg", options->gdb_arguments,
                   "An argument for gdb; repeatable")
      ->needs(gdb)
      ->allow_extra_args(false);
  replay
      ->add_option("--trace", options->trace,
                   "Write the events of the first time to this file")
      ->excludes(gdb);
  replay->add_flag("--force", options->force, "Also with another build");
  replay->add_option("--judge", options->judge,
                     "The command that judges the output, for a finding that "
                     "a judge has made; as in fairlead test");
  replay->add_option("--before", options->before,
                     "A command to run before each repetition; as in fairlead "
                     "test");
  replay->add_flag("--allow-stored-commands", options->allow_stored_commands,
                   "Run the commands that are kept in the store: its judge, "
                   "what is run before each execution, and, from a store that "
                   "is not yours, the program");
  replay->add_flag("--json", options->json,
                   "Of a bug file: the result as JSON");
  replay->callback([options, times, &invocation] {
    options->times_given = times->count() != 0;
    invocation.action = [options, &invocation] {
      const bool file = IsBugFile(options->id);
      if (!file && invocation.has_program) {
        return Tell(OtherProgram(options->id), Form::kText);
      }
      const Result<ExitCode> exit =
          file ? ReplayBug(*options, invocation.program)
               : Replay(*options).Run();
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli
