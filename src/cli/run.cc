// cli/run.cc
//
// `fairlead run`: one execution of the program, every choice made by a strategy
// or taken from a schedule. Also `--check-determinism`, which repeats it.

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/json.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/debugger.h"
#include "cli/print.h"
#include "cli/run_options.h"
#include "cli/run_report.h"
#include "cli/valgrind.h"
#include "explore/judge/determinism.h"
#include "explore/judge/divergence.h"
#include "explore/judge/failure_words.h"
#include "explore/judge/uncontrolled.h"
#include "explore/names/schedule_of.h"
#include "explore/names/trace_recorder.h"
#include "explore/run/repeated_input.h"
#include "explore/run/strategy_spec.h"
#include "explore/watch/profile.h"
#include "sched/factory.h"

namespace fairlead::cli {
namespace {

using explore::Executed;
using explore::Namer;
using explore::Verdict;

// What holds for all executions of one command.
class Runner {
 public:
  Runner(RunOptions options, std::vector<std::string> argv)
      : options_(std::move(options)), argv_(std::move(argv)) {}

  Status Prepare();
  Result<ExitCode> RunOnce();
  Result<ExitCode> CheckDeterminism();

 private:
  Status PrepareSchedule();
  Status PrepareProfile();
  Status RefuseProgramAsOutput(const std::string& path) const;
  Status KeepProfile(const Executed& executed, Namer& namer, OutputFile& file);
  void SayWhatRecompilingAdds() const;
  explore::Order OrderFor(explore::RecordObserver* observer) const;
  Status KeepSchedule(const Executed& executed, const Verdict& verdict,
                      Namer& namer, OutputFile& file);
  std::string About(const Verdict& verdict) const;

  RunOptions options_;
  std::vector<std::string> argv_;
  std::vector<std::string> through_;  // valgrind and its options; empty = none
  std::vector<std::string> environment_ = OwnEnvironment();
  explore::Program program_;
  std::string runtime_;
  trace::Identity identity_;
  std::unique_ptr<trace::Schedule> schedule_;  // to follow; null = none
  explore::FollowedInputs inputs_;
  std::string doubt_;  // why following may fail
  explore::Profile profile_;
  explore::Profiler profiler_;  // watches when a profile is to be written
  explore::EventStream profiled_{profiler_};
};

// Whether two outputs would go to one file, which would keep only the second.
bool IsSameFile(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  std::error_code failed;
  const auto where = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path),
                                             failed);
  };
  // What is there and no file, such as /dev/null, may get both.
  const bool file = !std::filesystem::exists(one, failed) ||
                    std::filesystem::is_regular_file(one, failed);
  return file && where(one) == where(other);
}

Status Runner::Prepare() {
  if (argv_.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("no program")
        .Hint("put it behind two dashes: fairlead run -- ./app");
  }
  Result<Parts> parts = TakeApart(argv_);
  if (!parts) return parts.error();
  through_ = parts->through;
  argv_ = parts->argv;
  if (!through_.empty() && options_.gdb) {
    return Error(ErrorCode::kUsage)
        .Say("gdb and valgrind cannot have the program both");
  }
  // valgrind has no instruction to switch fibers with.
  if (!through_.empty()) options_.carrier = "thread";
  Result<explore::Program> program = explore::InspectProgram(argv_[0]);
  if (!program) return program.error();
  program_ = *std::move(program);
  Result<std::string> runtime = explore::FindRuntime();
  if (!runtime) return runtime.error();
  runtime_ = *std::move(runtime);
  identity_ = explore::IdentityOf(program_, argv_, environment_);
  for (const std::string& output :
       {options_.trace, options_.schedule_out, options_.profile_out}) {
    if (Status status = RefuseProgramAsOutput(output); !status) return status;
  }
  if (IsSameFile(options_.schedule_out, options_.trace) ||
      IsSameFile(options_.schedule_out, options_.profile_out)) {
    return Error(ErrorCode::kUsage)
        .Say("{} would be written twice", options_.schedule_out)
        .Hint("give each of them a file of its own");
  }
  if (!options_.schedule.empty()) {
    if (Status status = PrepareSchedule(); !status) return status;
  }
  if (!options_.profile.empty()) {
    if (Status status = PrepareProfile(); !status) return status;
  }
  return {};
}

void Runner::SayWhatRecompilingAdds() const {
  if (program_.instrumented || options_.quiet || options_.json) return;
  Note(
      "{} was not built with fairlead-cc: its synchronisation calls are "
      "controlled; built with CC=fairlead-cc CXX=fairlead-c++, its memory "
      "accesses would be, too",
      PrintableLine(argv_[0]));
}

// A slip of the hand must not cost the user the program.
Status Runner::RefuseProgramAsOutput(const std::string& path) const {
  struct stat file = {};
  if (path.empty() || stat(path.c_str(), &file) != 0) return {};
  if (file.st_dev != program_.device || file.st_ino != program_.inode) {
    return {};
  }
  return Error(ErrorCode::kUsage)
      .Say("{} is the program itself", path)
      .Hint("write to another file");
}

Status Runner::PrepareSchedule() {
  Result<trace::Schedule> schedule = trace::LoadSchedule(options_.schedule);
  if (!schedule) return schedule.error();
  const std::string problem =
      trace::IdentityProblem(schedule->identity, identity_);
  if (!problem.empty() && !options_.force) {
    return Error(ErrorCode::kOtherProgram)
        .Say("{} does not fit: {}", options_.schedule, problem)
        .Hint("--force follows it all the same");
  }
  doubt_ = problem.empty() ? trace::IdentityDoubt(schedule->identity, identity_)
                           : problem;
  if (!doubt_.empty()) Warn("{}: {}", options_.schedule, doubt_);
  inputs_ = explore::LayOutInputs(schedule->inputs);
  options_.seed = schedule->seed;
  if (options_.then.empty()) options_.strategy = schedule->strategy;
  schedule_ = std::make_unique<trace::Schedule>(*std::move(schedule));
  return {};
}

Status Runner::PrepareProfile() {
  const Result<std::string> text = ReadFile(options_.profile);
  if (!text) return text.error();
  Result<explore::Profile> profile = explore::ParseProfileUntrusted(*text);
  if (!profile) return profile.error().In(options_.profile);
  const explore::ProfileFit fit = explore::FitOf(*profile, program_);
  if (fit == explore::ProfileFit::kOtherProgram) {
    return Error(ErrorCode::kOtherProgram)
        .Say("{} does not fit: it was made from another program, {}",
             options_.profile, profile->builds[0].path)
        .Hint("make one: fairlead run --profile-out FILE -- {}", argv_[0]);
  }
  if (fit == explore::ProfileFit::kOtherBuild) {
    Warn(
        "{} was made from another build of {}; make it again if that shared "
        "other variables",
        options_.profile, argv_[0]);
  }
  profile_ = *std::move(profile);
  return {};
}

Status Runner::KeepProfile(const Executed& executed, Namer& namer,
                           OutputFile& file) {
  if (!profiled_.status()) return profiled_.status();
  const std::string text = profiler_.Finish(*executed.memory, namer);
  if (Status put = file.Write(text); !put) return put;
  return file.Finish();
}

explore::Order Runner::OrderFor(explore::RecordObserver* observer) const {
  explore::Order order = {.program = program_,
                          .argv = argv_,
                          .environment = environment_,
                          .runtime = runtime_,
                          .observer = observer};
  abi::Plan& plan = order.plan;
  // A schedule may name a strategy that this build does not have; it is not
  // needed to follow it.
  const explore::StrategySpec strategy =
      explore::ParseStrategySpec(options_.then.empty() ? options_.strategy
                                                       : options_.then)
          .value_or(explore::DefaultSpec(sched::StrategyId::kFirst));
  plan.strategy = static_cast<uint32_t>(strategy.id);
  std::ranges::copy(strategy.params, plan.params);
  plan.flags = abi::kPlanRecord | abi::kPlanQuiet;
  if (observer != nullptr) plan.flags |= abi::kPlanTrace;
  if (options_.frames) plan.flags |= abi::kPlanFrames;
  for (const std::string& word : options_.left_out) {
    const auto group =
        word == "requests" ? abi::EventGroup::kRequest : abi::EventGroup::kMark;
    plan.left_out |= 1u << static_cast<uint32_t>(group);
  }
  if (options_.spurious) plan.flags |= abi::kPlanSpurious;
  if (schedule_ == nullptr) {
    plan.flags |= EarlyFlagOf(options_.early_timeouts);
  } else {
    // What the recording allowed must be allowed again.
    plan.flags |= explore::FlagsOf(schedule_->policies);
    plan.explore_call = schedule_->explore_call;
    const bool to_end = options_.then.empty();
    plan.flags |= to_end ? abi::kPlanFollow : abi::kPlanPrefix;
    if (to_end) {
      plan.strategy = static_cast<uint32_t>(sched::StrategyId::kReplay);
    }
    order.follow = {.choices = schedule_->choices,
                    .inputs = inputs_.records,
                    .payload = inputs_.payload};
  }
  // A schedule counts the points that it was recorded with.
  order.follow.idle_sites = schedule_ != nullptr && options_.profile.empty()
                                ? schedule_->quiet.idle
                                : profile_.idle_sites;
  order.follow.ordered_sites = schedule_ != nullptr && options_.profile.empty()
                                   ? schedule_->quiet.ordered
                                   : profile_.ordered_sites;
  plan.carrier = CarrierOf(options_.carrier);
  if (!through_.empty()) {
    order.through = through_;
    // The kernel would dispatch valgrind's own calls, and the signal of our
    // timers is one that valgrind has for itself.
    plan.flags |= abi::kPlanNoDispatch | abi::kPlanDebugger;
  }
  plan.seed = options_.seed;
  plan.max_steps = options_.max_steps;
  order.timeout = TimeLimit(options_.timeout_s);
  return order;
}

std::string Runner::About(const Verdict& verdict) const {
  return fmt::format(
      "tool: {}\nprogram: {}\nargv: {}\nstrategy: {}\nseed: {}\n"
      "verdict: {}\nmessage: {}\n",
      Version(), program_.path, ShellCommand(argv_),
      schedule_ == nullptr ? options_.strategy : "replay", options_.seed,
      WordOf(verdict.word), verdict.sentence);
}

Status Runner::KeepSchedule(const Executed& executed, const Verdict& verdict,
                            Namer& namer, OutputFile& file) {
  trace::Schedule schedule = explore::ScheduleOf(executed, identity_, namer);
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

Result<ExitCode> Runner::RunOnce() {
  // Both files are made first: one that cannot be written is told before the
  // program has run in vain.
  std::optional<explore::TraceRecorder> recorder;
  if (!options_.trace.empty()) {
    auto created = explore::TraceRecorder::Create(options_.trace);
    if (!created) return created.error();
    recorder.emplace(*std::move(created));
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
  SayWhatRecompilingAdds();
  const explore::Order order = OrderFor(observer);
  const Result<Executed> executed =
      options_.gdb ? ExecuteInGdb(order, options_.gdb_arguments)
                   : explore::Execute(order);
  if (!executed) return executed.error();
  Namer namer(*executed->memory);
  RunReport report = {
      .options = options_,
      .program = program_,
      .argv = argv_,
      .through = through_,
      .executed = *executed,
      .verdict = explore::Judge(*executed, options_.ok_exits, namer),
      .uncontrolled = explore::UncontrolledLines(executed->outcome, &namer)};
  if (report.verdict.word == explore::VerdictWord::kDiverged &&
      schedule_ != nullptr) {
    report.verdict.details =
        explore::DivergenceLines(*executed, *schedule_, doubt_, namer);
  }
  if (report.verdict.exit == ExitCode::kFindings) {
    report.verdict.sentence += explore::EarlyText(executed->outcome, namer);
  }
  std::optional<Error> lost;
  if (recorder) {
    const Status kept = recorder->Finish(namer, About(report.verdict));
    report.trace_kept = kept.has_value();
    if (!kept) lost = kept.error();
  }
  if (schedule_file) {
    const Status kept =
        KeepSchedule(*executed, report.verdict, namer, *schedule_file);
    report.schedule_kept = kept.has_value();
    if (!kept) lost = kept.error();
  }
  if (profile_file) {
    const Status kept = KeepProfile(*executed, namer, *profile_file);
    if (!kept) lost = kept.error();
  }
  PrintRunReport(report);
  // What was asked for could not be kept: that is told last, and decides.
  if (lost) return *lost;
  return report.verdict.exit;
}

Result<ExitCode> Runner::CheckDeterminism() {
  SayWhatRecompilingAdds();
  const Result<explore::RepeatedInput> input = explore::RepeatedInput::OfOurs();
  if (!input) return input.error();
  explore::Comparison comparison;
  Verdict first;
  uint64_t num_different = 0;
  Json differences = Json::array();
  for (uint64_t i = 0; i < options_.repetitions; ++i) {
    comparison.BeginRepetition();
    explore::Order order = OrderFor(&comparison);
    const Fd standard_input = input->Open();
    order.streams.input = standard_input.get();
    const Result<Executed> executed = explore::Execute(order);
    if (!executed) return executed.error();
    Namer namer(*executed->memory);
    const Verdict verdict = explore::Judge(*executed, options_.ok_exits, namer);
    if (EndsAll(verdict)) {
      return Error(ErrorCode::kInterrupted)
          .Say("stopped at repetition {}: {}", i + 1, verdict.sentence);
    }
    if (i == 0) first = verdict;
    const std::vector<std::string> lines =
        comparison.Differences(*executed, namer);
    if (lines.empty()) continue;
    ++num_different;
    differences.push_back({{"repetition", i + 1}, {"lines", lines}});
    if (options_.json || num_different > 1) continue;
    Note("repetition {} differs from the first:", i + 1);
    for (const std::string& line : lines) Note("  {}", line);
  }
  const ExitCode exit = num_different == 0 ? first.exit : ExitCode::kUnknown;
  if (options_.json) {
    const Json json = {
        {"command", "run"},
        {"result", num_different == 0 ? explore::ResultWord(first) : "unknown"},
        {"outcome", WordOf(first.word)},
        {"verdict", WordOf(first.word)},  // its name in earlier versions
        {"message", first.sentence},
        {"repetitions", options_.repetitions},
        {"different", num_different},
        {"differences", differences},
        {"exit_code", static_cast<int>(exit)}};
    PrintJsonLine(stderr, json);
  } else if (num_different == 0) {
    const std::string_view result = explore::ResultWord(first);
    Note("{}{}: {} were equal in every event: {}", result,
         first.word == explore::VerdictWord::kOk
             ? ""
             : fmt::format(": {}", WordOf(first.word)),
         Counted(options_.repetitions, "execution"), first.sentence);
  } else {
    Note("unknown: not deterministic: {} of {} differ from the first",
         num_different, Counted(options_.repetitions - 1, "repetition"));
  }
  return exit;
}

ExitCode RunCommand(const RunOptions& options,
                    const std::vector<std::string>& argv) {
  const Form form = options.json ? Form::kJson : Form::kText;
  RunOptions chosen = options;
  // As threads, so that gdb can show them all.
  if (options.gdb) chosen.carrier = "thread";
  Runner runner(std::move(chosen), argv);
  if (Status prepared = runner.Prepare(); !prepared) {
    return Tell(prepared.error(), form);
  }
  const Result<ExitCode> exit =
      options.repetitions != 0 ? runner.CheckDeterminism() : runner.RunOnce();
  return exit ? *exit : Tell(exit.error(), form);
}

}  // namespace

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
