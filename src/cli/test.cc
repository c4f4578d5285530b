// cli/test.cc
//
// `fairlead test`: a campaign. Explores interleavings of a program, judges
// every execution, and keeps what it finds.

#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/facts.h"
#include "cli/findings.h"
#include "cli/formats.h"
#include "cli/live_line.h"
#include "cli/look_for.h"
#include "cli/memo_store.h"
#include "cli/print.h"
#include "cli/report_files.h"
#include "cli/scratch.h"
#include "cli/shell_command.h"
#include "cli/test_each.h"
#include "cli/test_explain.h"
#include "cli/test_options.h"
#include "cli/test_recorder.h"
#include "cli/test_report.h"
#include "cli/test_rescue.h"
#include "cli/time_option.h"
#include "explore/campaign/campaign.h"
#include "explore/campaign/request_runs.h"
#include "explore/plan/maple_planner.h"
#include "explore/run/open_input.h"

namespace fairlead::cli {
namespace {

using std::chrono::nanoseconds;

constexpr std::string_view kMaple = "maple";

// A budget of neither time nor executions would have no end.
constexpr std::chrono::seconds kDefaultTime(60);

// Whether every execution will be able to read it; "" = nothing to read.
Status CheckInput(const std::string& path) {
  if (path.empty()) return {};
  const Result<Fd> file = explore::OpenInput(path);
  if (!file) return file.error().In("--stdin");
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return Error(ErrorCode::kUsage)
        .Say("--stdin: {} is a directory", path)
        .Hint("name a file");
  }
  return {};
}

// Whether somebody gives us an input, which executions will not see.
bool HasInput() {
  struct stat input = {};
  if (fstat(STDIN_FILENO, &input) != 0) return false;
  if (S_ISREG(input.st_mode)) {
    return lseek(STDIN_FILENO, 0, SEEK_CUR) < input.st_size;
  }
  int bytes = 0;
  return S_ISFIFO(input.st_mode) &&
         ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes > 0;
}

class Test {
 public:
  Test(TestOptions options, std::vector<std::string> argv)
      : options_(std::move(options)), argv_(std::move(argv)) {}

  Result<ExitCode> Run();

 private:
  Status Prepare();
  Status PrepareExpectations();
  Status ReadFiles();
  Status PrepareSuppressions();
  Status PrepareWorkplace();
  void PrepareRequests();
  explore::ForkChoice ForkChoiceOf() const;
  // `--json -`: the result as JSON is all that is printed.
  bool JsonOnly() const { return options_.json == "-"; }
  Status PreparePlanner();
  Status KeepMemo() {
    return cli::KeepMemo(memo_, *store_, program_name_, input_);
  }
  Json SettingJson() const;
  Status Keep(const explore::CampaignResult& result,
              const report::Campaign& report, TestRecorder& recorder,
              store::CampaignId campaign);
  std::vector<std::string> Figures() const;
  // When what was found has been made small enough.
  std::chrono::steady_clock::time_point MinimizeUntil() const;

  TestOptions options_;
  std::vector<std::string> argv_;
  std::chrono::steady_clock::time_point began_ =
      std::chrono::steady_clock::now();
  explore::CampaignOptions campaign_;
  std::optional<nanoseconds> time_;  // of all; none = no limit
  std::vector<fact::Fact> facts_;    // of files and the store
  finding::Suppressions suppressions_;
  std::string program_name_;  // in the store
  uint64_t input_ = 0;        // digest
  explore::Memo memo_;        // of iRoots; outlives planner_
  std::shared_ptr<explore::RequestReferences> requests_;  // null = not judged
  std::unique_ptr<explore::Planner> planner_;
  std::optional<Scratch> scratch_;  // of private directories
  std::unique_ptr<store::Store> store_;
  std::optional<OutputFile> json_;
  ReportFiles files_;
};

Status Test::PrepareExpectations() {
  explore::Expectations& expectations = campaign_.expectations;
  expectations.ok_exits = options_.ok_exits;
  expectations.same_output = options_.same_output;
  expectations.judge = options_.judge;
  expectations.judge_limit = TimeLimit(options_.timeout_s);
  expectations.sanitized =
      !campaign_.setting.program.sanitizers.Names().empty();
  if (options_.expect_output.empty()) return {};
  // No more than that is kept of what the program prints.
  Result<std::string> text =
      ReadFile(options_.expect_output, explore::Captured::kMaxKept);
  if (!text) return text.error();
  expectations.output = *std::move(text);
  return {};
}

// Mistakes in files are told before anything is made or run.
Status Test::ReadFiles() {
  std::string path = options_.suppressions;
  if (path.empty()) {
    path =
        (std::filesystem::path(options_.store).parent_path() / "suppressions")
            .string();
    if (access(path.c_str(), F_OK) != 0) path.clear();
  }
  Result<std::vector<fact::Fact>> facts = WrittenFacts(
      options_.facts, path, options_.quiet ? Noise::kQuiet : Noise::kNotes);
  if (!facts) return facts.error();
  facts_ = *std::move(facts);
  return {};
}

// What is written outweighs what the store knows.
Status Test::PrepareSuppressions() {
  const Result<std::vector<fact::Fact>> kept = store_->Facts();
  if (!kept) return kept.error();
  facts_ = fact::Merge(facts_, *kept).facts;
  suppressions_ = SuppressionsOf(facts_);
  campaign_.declared = DeclaredBy(facts_);
  return {};
}

Status Test::Prepare() {
  if (argv_.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("no program")
        .Hint("put it behind two dashes: fairlead test -- ./app");
  }
  if (options_.stdin_path.empty() && !JsonOnly() && HasInput()) {
    Note("standard input is not given to the program; --stdin FILE does that");
  }
  if (!options_.drive.empty() && options_.jobs != 1) {
    return Error(ErrorCode::kUsage)
        .Say("--client and --jobs {} do not go together", options_.jobs)
        .Hint("servers at once would want the same port");
  }
  if (!options_.look_for.empty() &&
      (options_.strategy != "auto" || !options_.predict)) {
    return Error(ErrorCode::kUsage)
        .Say("--look-for says what is predicted, and nothing is")
        .Hint("leave out --strategy and --no-predict");
  }
  if (!options_.time.empty()) {
    Result<nanoseconds> time = ParseTime("--time", options_.time);
    if (!time) return time.error();
    campaign_.time = *time;
  } else if (options_.executions == 0) {
    campaign_.time = kDefaultTime;
  }
  time_ = campaign_.time;
  // Who goes on after the first finding would use up all of it.
  if (time_ && options_.keep_going && options_.minimize) {
    campaign_.time = *time_ - MinimizingTime(time_);
  }
  if (options_.strategy != kMaple) {
    Result<std::unique_ptr<explore::Planner>> planner =
        explore::MakePlanner(options_.strategy, options_.seed);
    if (!planner) return planner.error();
    planner_ = *std::move(planner);
  }
  Result<explore::Program> program = explore::InspectProgram(argv_[0]);
  if (!program) return program.error();
  Result<std::string> runtime = explore::FindRuntime();
  if (!runtime) return runtime.error();
  if (Status can = CheckInput(options_.stdin_path); !can) return can;
  for (const auto& [option, command] : {std::pair("--judge", &options_.judge),
                                        {"--client", &options_.drive},
                                        {"--before", &options_.before}}) {
    if (Status can = CheckShellCommand(option, *command); !can) return can;
  }
  if (Status done = ReadFiles(); !done) return done;

  campaign_.setting = {.program = *std::move(program),
                       .argv = argv_,
                       .environment = OwnEnvironment(),
                       .runtime = *std::move(runtime),
                       .stdin_path = options_.stdin_path,
                       .jobs = options_.jobs,
                       .drive = options_.drive};
  if (Status done = PrepareExpectations(); !done) return done;
  campaign_.began = began_;
  campaign_.seed = options_.seed;
  campaign_.max_executions = options_.executions;
  campaign_.timeout = TimeLimit(options_.timeout_s);
  campaign_.max_steps = options_.max_steps;
  campaign_.keep_going = options_.keep_going;
  campaign_.all_sites = options_.all_sites;
  campaign_.predict = options_.predict && options_.strategy == "auto";
  campaign_.look_for = options_.look_for;
  campaign_.spurious = options_.spurious;
  campaign_.early = EarlyFlagOf(options_.early_timeouts);
  if (options_.all) campaign_.least_told = finding::Severity::kInfo;
  campaign_.tool = Version();
  // What cannot be kept is told before anything runs in vain.
  if (!options_.json.empty() && !JsonOnly()) {
    Result<OutputFile> file = OutputFile::Create(options_.json);
    if (!file) return file.error();
    json_.emplace(*std::move(file));
  }
  Result<ReportFiles> files = ReportFiles::Create(options_.files);
  if (!files) return files.error();
  files_ = *std::move(files);
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options_.store, store::IfMissing::kCreate);
  if (!store) return store.error();
  store_ = *std::move(store);
  if (Status done = PrepareSuppressions(); !done) return done;
  if (Status done = PrepareWorkplace(); !done) return done;
  PrepareRequests();
  return PreparePlanner();
}

Status Test::PrepareWorkplace() {
  Result<std::optional<Scratch>> scratch = PrepareScratch(
      options_.fresh_dir, options_.store, campaign_.setting.workplace);
  if (!scratch) return scratch.error();
  scratch_ = *std::move(scratch);
  campaign_.setting.workplace.before = options_.before;
  return {};
}

// Runs nothing unless the program turns out to have requests. A server whose
// client asks does not have them alone.
void Test::PrepareRequests() {
  if (!options_.drive.empty()) return;
  requests_ =
      explore::MakeRequestReferences({.setting = campaign_.setting,
                                      .ok_exits = options_.ok_exits,
                                      .timeout = campaign_.timeout,
                                      .max_steps = campaign_.max_steps,
                                      .fork = options_.fork_at != "never"});
  requests_->comparison() = ComparisonOf(facts_);
  campaign_.expectations.requests = requests_;
}

// Strategies that go by iRoots need what is known of them.
Status Test::PreparePlanner() {
  const bool maple = options_.strategy == kMaple;
  if (!maple && !campaign_.predict) return {};
  if (!maple && !WantsInterleavings(options_.look_for)) return {};
  program_name_ =
      store::ProgramName(campaign_.setting.program.path, options_.store);
  input_ = InputDigest(argv_, options_.stdin_path);
  if (options_.forget) {
    if (Status done = store_->ForgetMemo(program_name_, kIRootMemo); !done)
      return done;
  }
  Result<explore::Memo> memo = LoadMemo(*store_, program_name_, input_);
  if (!memo) return memo.error();
  memo_ = *std::move(memo);
  campaign_.memo = &memo_;
  planner_ = std::make_unique<explore::MaplePlanner>(
      memo_,
      explore::MapleOptions{.seed = options_.seed,
                            .order = maple ? explore::MemoOrder::kPaper
                                           : explore::MemoOrder::kSuspicion,
                            .libraries = !options_.application_only},
      std::move(planner_));
  return {};
}

explore::ForkChoice Test::ForkChoiceOf() const {
  if (options_.fork_at == "start") return explore::ForkChoice::kStart;
  if (options_.fork_at == "never") return explore::ForkChoice::kNever;
  return explore::ForkChoice::kMain;
}

// What is needed to run the program like this again.
Json Test::SettingJson() const {
  std::error_code error;
  return {{"argv", argv_},
          {"program", campaign_.setting.program.path},
          {"directory", std::filesystem::current_path(error).string()},
          {"stdin", options_.stdin_path},
          {"drive", options_.drive},
          {"fresh_dir", options_.fresh_dir},
          {"before", options_.before},
          {"strategy", options_.strategy},
          {"seed", options_.seed},
          {"jobs", options_.jobs},
          {"spurious", options_.spurious},
          {"early_timeouts", options_.early_timeouts},
          {"timeout", options_.timeout_s},
          {"ok_exits", options_.ok_exits},
          {"expect_output", options_.expect_output},
          {"same_output", options_.same_output},
          {"judge", options_.judge},
          {"test", options_.test_name}};
}

Status Test::Keep(const explore::CampaignResult& result,
                  const report::Campaign& report, TestRecorder& recorder,
                  store::CampaignId campaign) {
  const std::vector<ToldFinding>& told_findings = recorder.told_findings;
  if (Status told = recorder.TellExecutions(result.progress); !told) {
    return told;
  }
  if (campaign_.memo != nullptr) {
    if (Status kept = KeepMemo(); !kept) return kept;
  }
  for (size_t i = 0; i < told_findings.size(); ++i) {
    if (!told_findings[i].stored) continue;
    if (Status counted = store_->CountSightings(
            campaign, told_findings[i].recorded.id, result.findings[i].times);
        !counted) {
      return counted;
    }
  }
  if (Status ended =
          store_->EndCampaign(campaign, report.error ? "failed" : report.ending,
                              report::CampaignJson(report));
      !ended) {
    return ended;
  }
  return {};
}

// How the search went, for those who ask.
std::vector<std::string> Test::Figures() const {
  std::vector<std::string> lines;
  if (!memo_.entries().empty()) {
    lines.push_back(
        fmt::format("iRoots: {} exposed, {} predicted ones left to force",
                    memo_.num_exposed(), memo_.num_open()));
  }
  return lines;
}

std::chrono::steady_clock::time_point Test::MinimizeUntil() const {
  const auto now = std::chrono::steady_clock::now();
  const auto until = now + MinimizingTime(time_);
  return time_ ? std::min(until, began_ + *time_) : until;
}

Result<ExitCode> Test::Run() {
  if (Status prepared = Prepare(); !prepared) return prepared.error();
  const explore::Program& program = campaign_.setting.program;
  if (!program.instrumented && !options_.quiet) {
    Note(
        "{} was not built with fairlead-cc: its synchronisation calls are "
        "controlled; built with CC=fairlead-cc CXX=fairlead-c++, its memory "
        "accesses would be, too",
        PrintableLine(argv_[0]));
  }
  const Result<store::CampaignId> campaign = store_->BeginCampaign(
      {.program = store::ProgramName(program.path, options_.store),
       .build_id = program.build_id,
       .instrumented = program.instrumented,
       .num_sites = program.num_sites},
      SettingJson(), Version());
  if (!campaign) return campaign.error();
  const explore::InterruptWatch interrupts;
  LiveLine line(
      options_.quiet ? LiveLine::Show::kNever : LiveLine::Show::kIfTerminal,
      options_.executions, campaign_.time);
  TestRecorder recorder(options_, *store_, *campaign, suppressions_, line, [&] {
    return campaign_.memo != nullptr ? KeepMemo() : Status();
  });
  const explore::CampaignResult result = explore::RunCampaign(
      campaign_, ForkChoiceOf(), *planner_, recorder, interrupts);
  line.Clear();
  recorder.told_findings.resize(result.findings.size());
  RescueFindings(result, SettingJson(), recorder.told_findings);
  if (options_.minimize && interrupts.signal() == 0) {
    ExplainFindings(campaign_, result.findings, recorder.told_findings, *store_,
                    MinimizeUntil());
  }
  report::Campaign report = ReportOf(result, recorder.told_findings, options_);
  if (requests_ != nullptr) AddRequests(*requests_, report);
  report.argv = argv_;
  report.instrumented = program.instrumented;
  report.figures = Figures();
  Status kept = Keep(result, report, recorder, *campaign);
  if (kept) kept = recorder.PutBackStore();
  report::View view = PlainView();
  view.all = options_.all;
  view.quiet = options_.quiet;
  view.verbose = options_.verbose;
  Print(stdout,
        FormatOf(JsonOnly() ? "json" : options_.format).campaign(report, view));
  Flush(stdout);
  if (Status put = files_.Write(report, &report::Format::campaign, view);
      !put) {
    return put.error();
  }
  if (json_) {
    if (Status put = json_->Write(JsonText(report::CampaignJson(report)));
        !put) {
      return put.error();
    }
    if (Status put = json_->Finish(); !put) return put.error();
  }
  // What kept it from going on decides, except over findings.
  const ExitCode exit = report.exit;
  if (result.error) {
    Tell(*result.error, Form::kText);
    return exit == ExitCode::kFindings
               ? exit
               : static_cast<ExitCode>(
                     fairlead::ExitCodeOf(result.error->code()));
  }
  if (!kept && exit == ExitCode::kFindings) {
    Tell(kept.error(), Form::kText);
    return exit;
  }
  if (!kept) return kept.error();
  return exit;
}

// One campaign, or one for each test of a framework.
Result<ExitCode> RunTest(const TestOptions& options,
                         const std::vector<std::string>& program,
                         const std::vector<std::string>& passed) {
  if (!options.ctest.empty() && !program.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("--ctest says what is run, and a program follows")
        .Hint("leave out one of them");
  }
  if (!options.ctest.empty()) {
    return TestEach(Framework::kCTest, options, {options.ctest}, passed);
  }
  const bool each = options.gtest || options.catch2 || options.doctest;
  if (!each || program.empty()) return Test(options, program).Run();
  return TestEach(options.gtest    ? Framework::kGoogleTest
                  : options.catch2 ? Framework::kCatch2
                                   : Framework::kDoctest,
                  options, program, passed);
}

}  // namespace

void AddTest(CLI::App& app, Invocation& invocation) {
  CLI::App* test =
      app.add_subcommand("test",
                         "Look for bugs in the interleavings of a program:\n"
                         "  fairlead test [OPTIONS] -- PROGRAM [ARGUMENTS...]");
  auto options = std::make_shared<TestOptions>();
  AddTestOptions(*test, *options);
  test->callback([options, test, &invocation] {
    invocation.action = [options, test, &invocation] {
      const Result<ExitCode> exit =
          RunTest(*options, invocation.program, PassedOptions(*test));
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli
