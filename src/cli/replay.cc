// cli/replay.cc
//
// `fairlead replay`: repeats a finding from its schedule, as often as wanted,
// on either carrier, also under gdb.

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/debugger.h"
#include "cli/findings.h"
#include "cli/print.h"
#include "cli/scratch.h"
#include "explore/campaign/confirm.h"
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

struct ReplayOptions {
  std::string id;
  std::string store;
  uint64_t times = 1;
  std::string carrier = "fiber";
  std::string trace;  // file for the events of the first time; "" = none
  std::vector<std::string> gdb_arguments;
  bool gdb = false;
  bool force = false;
  std::string judge;   // "" = that of the store, if it may be run
  std::string before;  // likewise
  bool allow_stored_commands = false;
};

std::string TextOf(const Json& setting, const char* key) {
  const auto found = setting.find(key);
  return found != setting.end() && found->is_string()
             ? found->get<std::string>()
             : "";
}

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
  Status Prepare();
  Status PrepareProgram();
  Status ChooseJudge();
  Status ChooseBefore();
  Status AllowProgram(const std::string& path) const;
  explore::Expectations ExpectationsOf() const;
  explore::Repetition RepetitionOf() const;
  Result<ExitCode> RunTimes();
  // `done` repetitions were made, of which `same` failed as they should; of a
  // client's finding, the server did what its schedule says.
  std::string LastLine(uint64_t same, uint64_t done) const;
  Status KeepTrace(const Finished& finished, explore::TraceRecorder& recorder);
  Result<ExitCode> RunInGdb();
  // How one repetition ended, in words; "" = like the finding, as far as is
  // known. `races` are
  // those that were seen in it, if it was asked for them.
  std::string Difference(const Finished& finished, const Judgement& judgement,
                         explore::RaceWatch* races);
  bool IsClients() const {
    return stored_.finding.kind == finding::Kind::kClient;
  }
  bool IsRace() const { return stored_.finding.kind == finding::Kind::kRace; }

  ReplayOptions options_;
  store::FindingId id_ = {};
  store::StoredFinding stored_;
  explore::Setting setting_;
  std::string judge_;               // a command; "" = none is needed
  std::string before_;              // likewise
  std::optional<Scratch> scratch_;  // of private directories
  std::string doubt_;
};

Status Replay::Prepare() {
  const Result<store::FindingId> id = ParseFindingId(options_.id);
  if (!id) return id.error();
  id_ = *id;
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options_.store, store::IfMissing::kFail);
  if (!store) return store.error();
  Result<store::StoredFinding> stored = (*store)->Load(id_);
  if (!stored) return stored.error();
  stored_ = *std::move(stored);
  if (!stored_.finding.witness.schedule) {
    return Error(ErrorCode::kNotFound)
        .Say("finding {} has no schedule to follow", options_.id);
  }
  if (Status chosen = ChooseJudge(); !chosen) return chosen;
  if (Status chosen = ChooseBefore(); !chosen) return chosen;
  return PrepareProgram();
}

// A store may come from anywhere: a command in it is run only if the user says
// so, having seen it. Findings that no judge has made need none.
Status Replay::ChooseJudge() {
  if (stored_.finding.kind != finding::Kind::kJudge) return {};
  const std::string stored = TextOf(stored_.setting, "judge");
  judge_ = options_.judge;
  if (judge_.empty() && options_.allow_stored_commands) judge_ = stored;
  if (!judge_.empty() || options_.gdb) return {};
  return Error(ErrorCode::kUsage)
      .Say(
          "finding {} needs its judge, a command that is kept in the store: {}",
          options_.id, stored)
      .Hint(
          "give it again with --judge, or run that one with "
          "--allow-stored-commands");
}

// The same for the command that puts things right before each execution.
Status Replay::ChooseBefore() {
  const std::string stored = TextOf(stored_.setting, "before");
  before_ = options_.before;
  if (before_.empty() && options_.allow_stored_commands) before_ = stored;
  if (!before_.empty() || stored.empty() || options_.gdb) return {};
  return Error(ErrorCode::kUsage)
      .Say(
          "a command was run before each execution, which is kept in the "
          "store: {}",
          stored)
      .Hint(
          "give it again with --before, or run that one with "
          "--allow-stored-commands");
}

// The program is named by the store as well. Whose store is the user's own has
// chosen it before; in one of somebody else's, it may be any.
Status Replay::AllowProgram(const std::string& path) const {
  const std::vector<std::string>& argv =
      stored_.finding.witness.schedule->identity.argv;
  std::vector<std::string> command = {path};
  if (!argv.empty())
    command.insert(command.end(), argv.begin() + 1, argv.end());
  struct stat store = {};
  const bool own =
      stat(options_.store.c_str(), &store) == 0 && store.st_uid == geteuid();
  if (own || options_.allow_stored_commands) {
    Note("runs {}", ShellCommand(command));
    return {};
  }
  return Error(ErrorCode::kUsage)
      .Say("the store {} is not yours, and would have this run: {}",
           options_.store, ShellCommand(command))
      .Hint("--allow-stored-commands runs it");
}

Status Replay::PrepareProgram() {
  const std::string path =
      store::ProgramPath(stored_.build.program, options_.store);
  if (Status allowed = AllowProgram(path); !allowed) return allowed;
  Result<explore::Program> program = explore::InspectProgram(path);
  if (!program) return program.error();
  Result<std::string> runtime = explore::FindRuntime();
  if (!runtime) return runtime.error();
  const trace::Schedule& schedule = *stored_.finding.witness.schedule;
  setting_ = {.program = *std::move(program),
              .argv = schedule.identity.argv,
              .environment = OwnEnvironment(),
              .runtime = *std::move(runtime),
              .stdin_path = TextOf(stored_.setting, "stdin"),
              .jobs = 1};
  trace::Identity now = explore::IdentityOf(setting_.program, setting_.argv,
                                            setting_.environment);
  now.stdin_digest = schedule.identity.stdin_digest;
  now.point_set = schedule.identity.point_set;
  const std::string problem = trace::IdentityProblem(schedule.identity, now);
  if (!problem.empty() && !options_.force) {
    return Error(ErrorCode::kOtherProgram)
        .Say("finding {} was seen in another build: {}", options_.id, problem)
        .Hint("find it again with fairlead test, or --force");
  }
  doubt_ =
      problem.empty() ? trace::IdentityDoubt(schedule.identity, now) : problem;
  if (!doubt_.empty()) Warn("{}", doubt_);
  const auto fresh = stored_.setting.find("fresh_dir");
  Result<std::optional<Scratch>> scratch =
      PrepareScratch(fresh != stored_.setting.end() && *fresh == true,
                     options_.store, setting_.workplace);
  if (!scratch) return scratch.error();
  scratch_ = *std::move(scratch);
  setting_.workplace.before = before_;
  const std::string directory = TextOf(stored_.setting, "directory");
  if (!directory.empty() && chdir(directory.c_str()) != 0) {
    Warn("{} is not there any more; the program runs here", directory);
  }
  return {};
}

explore::Expectations Replay::ExpectationsOf() const {
  explore::Expectations expectations;
  const Json& setting = stored_.setting;
  if (const auto ok = setting.find("ok_exits");
      ok != setting.end() && ok->is_array()) {
    for (const Json& code : *ok) {
      if (code.is_number_integer()) expectations.ok_exits.push_back(code);
    }
  }
  expectations.judge = judge_;
  expectations.sanitized = !setting_.program.sanitizers.Names().empty();
  // What was wrong about the output is not kept, but the output is: it must be
  // the same again.
  if (stored_.finding.kind == finding::Kind::kOutput) {
    expectations.output = stored_.finding.witness.output;
  }
  return expectations;
}

explore::Repetition Replay::RepetitionOf() const {
  const trace::Schedule& schedule = *stored_.finding.witness.schedule;
  explore::Repetition repetition;
  repetition.schedule = &schedule;
  repetition.driven = !TextOf(stored_.setting, "drive").empty();
  repetition.carrier = CarrierOf(options_.carrier);
  if (const auto timeout = stored_.setting.find("timeout");
      timeout != stored_.setting.end() && timeout->is_number()) {
    repetition.timeout = TimeLimit(timeout->get<double>());
  }
  return repetition;
}

std::string Replay::Difference(const Finished& finished,
                               const Judgement& judgement,
                               explore::RaceWatch* races) {
  explore::Namer namer(*finished.executed.memory);
  if (finished.executed.outcome.status == abi::Status::kDivergence) {
    std::string text =
        explore::ForcedText(*stored_.finding.witness.schedule).empty()
            ? "it left the schedule"
            : "it could not be repeated exactly";
    for (const std::string& line : explore::DivergenceLines(
             finished.executed, *stored_.finding.witness.schedule, doubt_,
             namer)) {
      text += "\n  " + line;
    }
    return text;
  }
  if (stored_.finding.kind == finding::Kind::kOutput) {
    return judgement.end == Judgement::End::kOk ? "" : "the output differs";
  }
  if (judgement.end == Judgement::End::kCut) {
    return "it was cut: " + judgement.reason;
  }
  if (races != nullptr) {
    const bool again = explore::IsAmong(stored_.finding, races->Finish(namer));
    return again ? "" : "the race was not seen";
  }
  if (explore::IsFollowed(stored_.finding.kind, judgement)) return "";
  if (!judgement.failure) return "it did not fail";
  const finding::Finding again =
      explore::Describe(*judgement.failure, finished, namer);
  if (again.fingerprint == stored_.finding.fingerprint) return "";
  return "it failed in another way: " + again.message;
}

Status Replay::KeepTrace(const Finished& finished,
                         explore::TraceRecorder& recorder) {
  explore::Namer namer(*finished.executed.memory);
  const trace::Schedule& schedule = *stored_.finding.witness.schedule;
  return recorder.Finish(
      namer,
      fmt::format("tool: {}\nprogram: {}\nargv: {}\nstrategy: replay\n"
                  "seed: {}\nverdict: {}\nmessage: {}\n",
                  Version(), setting_.program.path, ShellCommand(setting_.argv),
                  schedule.seed, finding::WordOf(stored_.finding.kind),
                  stored_.finding.message));
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
      explore::MakeFreshRunner(setting_);
  if (!runner) return runner.error();
  explore::Oracles oracles(ExpectationsOf());
  const explore::Repetition repetition = RepetitionOf();
  const explore::FollowedInputs inputs =
      explore::LayOutInputs(repetition.schedule->inputs);
  uint64_t same = 0;
  uint64_t done = 0;
  std::string difference;
  for (; done < options_.times && interrupts.signal() == 0; ++done) {
    explore::Task task = explore::TaskFor(repetition, inputs);
    explore::RaceWatch races(repetition.schedule->quiet.idle.empty());
    explore::EventStream stream(races);
    explore::RecordTee tee;
    if (IsRace()) tee.Add(stream);
    if (recorder && done == 0) tee.Add(*recorder);
    if (!tee.empty()) {
      task.plan.flags |= abi::kPlanTrace;
      task.observer = &tee;
    }
    const Result<Finished> finished = explore::RunOne(**runner, task);
    if (!finished) return finished.error();
    if (done == 0) {
      PrintAsIs(stdout, finished->output->Output());
      Flush(stdout);
      PrintAsIs(stderr, finished->output->Error());
    }
    Judgement judgement = oracles.Judge(*finished);
    if (judgement.end == Judgement::End::kUnable) return *judgement.error;
    if (judgement.end == Judgement::End::kStopped) break;
    if (recorder && done == 0) {
      if (Status kept = KeepTrace(*finished, *recorder); !kept) {
        return kept.error();
      }
    }
    explore::RaceWatch* watched = IsRace() ? &races : nullptr;
    std::string how = Difference(*finished, judgement, watched);
    // What was suppressed when it was found may be what is seen first.
    while (!IsRace() && !how.empty() && judgement.failure &&
           !judgement.silent) {
      oracles.Silence(judgement.failure->key);
      judgement = oracles.Judge(*finished);
      if (judgement.failure && !judgement.silent &&
          Difference(*finished, judgement, nullptr).empty()) {
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
                               : IsClients() ? "went like"
                                             : "failed like";
  const std::string like = fmt::format(
      "{} finding {}: {}: {}{}", how, static_cast<uint64_t>(id_),
      finding::TitleOf(stored_.finding.kind), stored_.finding.message,
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
  const explore::Repetition repetition = RepetitionOf();
  const explore::FollowedInputs inputs =
      explore::LayOutInputs(repetition.schedule->inputs);
  explore::Task task = explore::TaskFor(repetition, inputs);
  const Result<explore::Executed> executed =
      ExecuteInGdb({.program = setting_.program,
                    .argv = setting_.argv,
                    .environment = setting_.environment,
                    .plan = task.plan,
                    .follow = task.follow,
                    .runtime = setting_.runtime},
                   options_.gdb_arguments);
  if (!executed) return executed.error();
  explore::Namer namer(*executed->memory);
  const explore::Verdict verdict =
      explore::Judge(*executed, ExpectationsOf().ok_exits, namer);
  if (verdict.word != explore::VerdictWord::kOk) {
    Note("{}: {}: {}", explore::ResultWord(verdict), WordOf(verdict.word),
         verdict.sentence);
    return verdict.exit;
  }
  Note("unknown: {}; finding {} is: {}: {}; {}", verdict.sentence,
       static_cast<uint64_t>(id_), finding::TitleOf(stored_.finding.kind),
       stored_.finding.message, UnseenInGdb(stored_.finding.kind));
  return ExitCode::kUnknown;
}

Result<ExitCode> Replay::Run() {
  if (Status prepared = Prepare(); !prepared) return prepared.error();
  return options_.gdb ? RunInGdb() : RunTimes();
}

}  // namespace

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
      "\n"
      "Exit codes: 1 it failed like that every time, 4 it did not, or was\n"
      "stopped before, or nobody can tell: the client of a server is not run "
      "again;\n"
      "inside gdb neither output nor judge is asked.\n");
  auto options = std::make_shared<ReplayOptions>();
  replay->add_option("finding", options->id, "Its number")->required();
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
  replay->callback([options, &invocation] {
    invocation.action = [options] {
      const Result<ExitCode> exit = Replay(*options).Run();
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli
