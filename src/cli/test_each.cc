#include "cli/test_each.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "base/json.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/formats.h"
#include "cli/print.h"
#include "cli/time_option.h"
#include "explore/run/interrupt.h"
#include "report/junit.h"
#include "report/text.h"

namespace fairlead::cli {
namespace {

using std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using JUnitResult = report::JUnitCase::Result;

constexpr Seconds kDefaultTime(60);
constexpr Seconds kNoLimit(1e8);     // more than anybody waits
constexpr Seconds kLeastSlice(0.5);  // below it starting up is most of it
constexpr int kMostRounds = 10'000;

// Not for the campaigns: budget, results, and what chose the tests.
constexpr std::string_view kOwn[] = {
    "--time",   "--executions", "--json",     "--format",
    "--sarif",  "--junit",      "--markdown", "--gtest",
    "--catch2", "--doctest",    "--ctest",    "--seed",
    "--quiet",  "--verbose",    "--store",    "--test-name"};

struct Explored {
  ListedTest test;
  uint64_t rounds = 0;
  uint64_t executions = 0;
  uint64_t threads = 0;
  double seconds = 0;
  double growth = 1;  // of the last slice, what share went by till the last new
  bool done = false;
  JUnitResult result = JUnitResult::kPassed;
  std::string words = {};  // why it is as it is
  std::set<int64_t> findings = {};
};

class Explorer {
 public:
  Explorer(const TestOptions& options, std::vector<std::string> passed,
           std::vector<ListedTest> listed)
      : options_(options), passed_(std::move(passed)) {
    for (ListedTest& test : listed) {
      tests_.push_back({.test = std::move(test)});
    }
    std::error_code error;
    store_ = std::filesystem::absolute(options.store, error).string();
  }

  Status Run();
  std::vector<Explored>& tests() { return tests_; }
  double seconds() const {
    return Seconds(steady_clock::now() - began_).count();
  }

 private:
  struct Slice {
    std::optional<Seconds> time;
    uint64_t executions = 0;  // 0 = no limit
  };

  Status Explore(Explored& each, const Slice& slice);
  Status ExploreRest();
  std::vector<std::string> CommandOf(const Explored& each,
                                     const Slice& slice) const;
  void Take(Explored& each, const Json& result, int exit_code);
  Explored* Next();
  Seconds Left() const { return budget_ - Seconds(seconds()); }

  const TestOptions& options_;
  std::vector<std::string> passed_;
  std::vector<Explored> tests_;
  std::string store_;
  Seconds budget_ = kDefaultTime;
  steady_clock::time_point began_ = steady_clock::now();
};

std::vector<std::string> Explorer::CommandOf(const Explored& each,
                                             const Slice& slice) const {
  std::vector<std::string> argv = {"fairlead", "test"};
  argv.insert(argv.end(), passed_.begin(), passed_.end());
  argv.insert(argv.end(),
              {"--json", "-", "--store", store_, "--test-name", each.test.name,
               "--seed", fmt::format("{}", options_.seed + each.rounds)});
  if (slice.time && *slice.time < kNoLimit / 2) {
    const auto ms = static_cast<int64_t>(slice.time->count() * 1000);
    argv.insert(argv.end(), {"--time", fmt::format("{}ms", ms)});
  }
  if (slice.executions != 0) {
    argv.insert(argv.end(),
                {"--executions", fmt::format("{}", slice.executions)});
  }
  argv.emplace_back("--");
  argv.insert(argv.end(), each.test.argv.begin(), each.test.argv.end());
  return argv;
}

Status Explorer::Explore(Explored& each, const Slice& slice) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return SystemError(errno, "no pipe");
  Fd from(ends[0]);
  Fd to(ends[1]);
  const Fd null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::vector<std::string> environment = OwnEnvironment();
  environment.insert(environment.end(), each.test.environment.begin(),
                     each.test.environment.end());
  const auto begun = steady_clock::now();
  Result<Process> process =
      Process::Start({.executable = "/proc/self/exe",
                      .argv = CommandOf(each, slice),
                      .environment = std::move(environment),
                      .directory = each.test.directory,
                      .standard_input = null.get(),
                      .standard_output = to.get()});
  if (!process) return process.error();
  to.Close();
  const Result<std::string> text = ReadAll(from.get(), "a campaign");
  const Ending ending = process->Wait();
  each.seconds += Seconds(steady_clock::now() - begun).count();
  ++each.rounds;
  const Result<Json> result =
      text ? ParseJson(*text) : Result<Json>(text.error());
  Take(each, result ? *result : Json::object(), ending.exit_code);
  return {};
}

// A number of the result, which is another process's.
uint64_t NumberOf(const Json& json, const char* key) {
  const auto number = json.find(key);
  return number != json.end() && number->is_number_unsigned()
             ? number->get<uint64_t>()
             : 0;
}

void Explorer::Take(Explored& each, const Json& result, int exit_code) {
  const uint64_t executions = NumberOf(result, "executions");
  each.executions += executions;
  each.threads = std::max(each.threads, NumberOf(result, "threads"));
  each.growth =
      executions == 0
          ? 0
          : static_cast<double>(NumberOf(result, "last_new_behaviour")) /
                static_cast<double>(executions);
  // A data race that did no harm stops nothing: the harm may come.
  bool grave = false;
  const auto findings = result.find("findings");
  if (findings != result.end() && findings->is_array()) {
    for (const Json& finding : *findings) {
      each.findings.insert(static_cast<int64_t>(NumberOf(finding, "id")));
      const auto word = finding.find("severity");
      grave |= word != finding.end() && (*word == "medium" || *word == "high");
    }
  }
  const auto reason = result.find("reason");
  const bool says = reason != result.end() && reason->is_string();
  switch (static_cast<ExitCode>(exit_code)) {
    case ExitCode::kNothingFound:
      // What an earlier slice could not say stays unsaid no longer.
      if (each.result == JUnitResult::kUnknown && each.findings.empty()) {
        each.result = JUnitResult::kPassed;
      }
      break;
    case ExitCode::kFindings:
      each.result = JUnitResult::kFailed;
      each.done |= grave && !options_.keep_going;
      break;
    default:
      each.result = JUnitResult::kUnknown;
      each.words =
          says ? reason->get<std::string>()
               : fmt::format("its campaign ended with exit code {}", exit_code);
      each.done = each.rounds > 1 || executions == 0;
  }
  const auto ending = result.find("ending");
  if (ending != result.end() && (*ending == "exhausted")) each.done = true;
}

// Of those that are not done, the one that still shows most; at first each
// once.
Explored* Explorer::Next() {
  Explored* best = nullptr;
  const auto worth = [](const Explored& each) {
    const double tried = static_cast<double>(each.rounds);
    return each.rounds < 2 ? 10 - tried : (each.growth + 0.05) / tried;
  };
  for (Explored& each : tests_) {
    if (each.done) continue;
    if (best == nullptr || worth(each) > worth(*best)) best = &each;
  }
  return best;
}

Status Explorer::ExploreRest() {
  const explore::InterruptWatch interrupts;
  for (int round = 0; round < kMostRounds; ++round) {
    Explored* each = Next();
    if (each == nullptr || interrupts.signal() != 0) return {};
    if (options_.executions != 0) {
      if (Status done = Explore(
              *each, {.time = Left(), .executions = options_.executions});
          !done) {
        return done;
      }
      each->done = true;
      continue;
    }
    const auto open =
        static_cast<double>(std::ranges::count(tests_, false, &Explored::done));
    const Seconds left = Left();
    if (left < kLeastSlice / 2) return {};
    // A third of its share: the rest is for those that grow.
    const Seconds slice =
        std::min(left, std::max(kLeastSlice, left / (3 * open)));
    if (Status done = Explore(*each, {.time = slice}); !done) return done;
  }
  return {};
}

Status Explorer::Run() {
  if (!options_.time.empty()) {
    const Result<std::chrono::nanoseconds> time =
        ParseTime("--time", options_.time);
    if (!time) return time.error();
    budget_ = *time;
  } else if (options_.executions != 0) {
    budget_ = kNoLimit;
  }
  const explore::InterruptWatch interrupts;
  for (Explored& each : tests_) {
    if (each.test.disabled) {
      each.done = true;
      each.result = JUnitResult::kSkipped;
      each.words = "disabled";
      continue;
    }
    if (Left() <= Seconds(0) || interrupts.signal() != 0) {
      each.done = true;
      each.result = JUnitResult::kUnknown;
      each.words = "there was no time for it";
      continue;
    }
    if (Status done = Explore(each, {.time = Left(), .executions = 1}); !done) {
      return done;
    }
    if (each.threads <= 1 && each.result == JUnitResult::kPassed) {
      each.done = true;
      each.words = "one thread";
    }
  }
  return ExploreRest();
}

std::string_view WordOf(JUnitResult result) {
  switch (result) {
    case JUnitResult::kPassed:
      return "ok";
    case JUnitResult::kFailed:
      return "failed";
    case JUnitResult::kUnknown:
      return "unknown";
    case JUnitResult::kSkipped:
      return "skipped";
  }
  return "";
}

// What the store holds of what was found.
struct Kept {
  std::vector<store::StoredFinding> stored = {};
  std::vector<finding::Finding> shown = {};
  report::FindingList list = {};

  const report::KeptFinding* Find(int64_t id) const {
    const auto found =
        std::ranges::find(list.findings, id, &report::KeptFinding::id);
    return found == list.findings.end() ? nullptr : &*found;
  }
};

Status LoadKept(const TestOptions& options, const std::vector<Explored>& tests,
                Kept& kept) {
  std::set<int64_t> ids;
  for (const Explored& each : tests) {
    for (const int64_t id : each.findings) {
      if (id != 0) ids.insert(id);
    }
  }
  if (ids.empty()) return {};
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) return store.error();
  kept.stored.reserve(ids.size());
  kept.shown.reserve(ids.size());
  for (const int64_t id : ids) {
    Result<store::StoredFinding> loaded =
        (*store)->Load(store::FindingId{static_cast<uint64_t>(id)});
    if (!loaded) return loaded.error();
    kept.stored.push_back(*std::move(loaded));
    report::KeptFinding each = KeptOf(kept.stored.back());
    kept.shown.push_back(SmallestOf(kept.stored.back(), each.facts));
    each.finding = &kept.shown.back();
    for (const char* verb : {"show", "replay", "clear"}) {
      each.commands.push_back(
          FindingCommand(verb, kept.stored.back().id, options.store));
    }
    kept.list.findings.push_back(std::move(each));
  }
  return {};
}

std::string TitleOf(const report::KeptFinding& kept) {
  return fmt::format("{}: {}", finding::TitleOf(kept.finding->kind),
                     kept.finding->message);
}

report::JUnitCase CaseOf(const Explored& each, const Kept& kept,
                         const std::string& program) {
  constexpr size_t kWidth = 110;
  report::JUnitCase result = {
      .suite = each.test.suite.empty() ? program : each.test.suite,
      .name = each.test.name,
      .seconds = each.seconds,
      .result = each.result,
      .kind = std::string(WordOf(each.result)),
      .message = each.words,
      .text = each.words};
  for (const int64_t id : each.findings) {
    const report::KeptFinding* found = kept.Find(id);
    if (found == nullptr || each.result != JUnitResult::kFailed) continue;
    if (result.text == each.words) {
      result.kind = finding::WordOf(found->finding->kind);
      result.message = TitleOf(*found);
      result.text.clear();
    }
    result.text += report::TextReport({.finding = found->finding,
                                       .heading = "finding " + found->name,
                                       .facts = found->facts,
                                       .commands = found->commands,
                                       .rows = report::Rows::kDeciding},
                                      kWidth);
  }
  return result;
}

std::string TextOf(const std::vector<Explored>& tests, const Kept& kept,
                   double seconds, bool quiet) {
  std::string text;
  size_t num[4] = {};
  for (const Explored& each : tests) {
    ++num[static_cast<size_t>(each.result)];
    if (quiet && each.result == JUnitResult::kPassed) continue;
    text += fmt::format("{:<8} {}  ({}{})\n", WordOf(each.result),
                        each.test.name, Counted(each.executions, "execution"),
                        each.words.empty() ? "" : ", " + each.words);
    for (const int64_t id : each.findings) {
      const report::KeptFinding* found = kept.Find(id);
      if (found == nullptr) continue;
      text += fmt::format("    [{}] {}, {}\n", found->name,
                          finding::WordOf(found->finding->severity),
                          TitleOf(*found));
      if (!found->finding->witness.explanation.empty()) {
        text +=
            fmt::format("    why: {}\n", found->finding->witness.explanation);
      }
      text += fmt::format("    show: {}\n", found->commands.front());
    }
  }
  const auto of = [&](JUnitResult result) {
    return num[static_cast<size_t>(result)];
  };
  return text + fmt::format(
                    "\n{} in {:.1f} s: {} failed, {} ok, {} unknown, "
                    "{} skipped; {}\n",
                    Counted(tests.size(), "test"), seconds,
                    of(JUnitResult::kFailed), of(JUnitResult::kPassed),
                    of(JUnitResult::kUnknown), of(JUnitResult::kSkipped),
                    Counted(kept.list.findings.size(), "finding"));
}

Json JsonOf(const std::vector<Explored>& tests, double seconds, ExitCode exit) {
  Json list = Json::array();
  for (const Explored& each : tests) {
    list.push_back({{"name", each.test.name},
                    {"suite", each.test.suite},
                    {"result", WordOf(each.result)},
                    {"reason", each.words},
                    {"argv", each.test.argv},
                    {"campaigns", each.rounds},
                    {"executions", each.executions},
                    {"threads", each.threads},
                    {"seconds", each.seconds},
                    {"findings", each.findings}});
  }
  return {{"command", "test"},
          {"exit_code", static_cast<int>(exit)},
          {"seconds", seconds},
          {"tests", std::move(list)}};
}

ExitCode ExitOf(const std::vector<Explored>& tests) {
  const auto any = [&](JUnitResult result) {
    return std::ranges::find(tests, result, &Explored::result) != tests.end();
  };
  if (any(JUnitResult::kFailed)) return ExitCode::kFindings;
  return any(JUnitResult::kUnknown) ? ExitCode::kUnknown
                                    : ExitCode::kNothingFound;
}

}  // namespace

std::vector<std::string> PassedOptions(const CLI::App& test) {
  std::vector<std::string> passed;
  for (const CLI::Option* option : test.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 ||
        std::ranges::find(kOwn, name) != std::ranges::end(kOwn)) {
      continue;
    }
    if (option->get_items_expected_max() == 0) {
      passed.push_back(name);
      continue;
    }
    for (const std::string& value : option->results()) {
      passed.push_back(name);
      passed.push_back(value);
    }
  }
  return passed;
}

Result<ExitCode> TestEach(Framework framework, const TestOptions& options,
                          const std::vector<std::string>& argv,
                          const std::vector<std::string>& passed) {
  // What cannot be written is an error before anything runs in vain.
  ReportFiles::Paths paths = options.files;
  paths.junit.clear();
  Result<ReportFiles> files = ReportFiles::Create(paths);
  if (!files) return files.error();
  std::optional<OutputFile> junit;
  std::optional<OutputFile> json;
  const auto create = [](const std::string& path,
                         std::optional<OutputFile>& file) -> Status {
    if (path.empty() || path == "-") return {};
    Result<OutputFile> made = OutputFile::Create(path);
    if (!made) return made.error();
    file.emplace(*std::move(made));
    return {};
  };
  if (Status made = create(options.files.junit, junit); !made) {
    return made.error();
  }
  if (Status made = create(options.json, json); !made) return made.error();
  Result<std::vector<ListedTest>> listed = ListTests(framework, argv);
  if (!listed) return listed.error();
  Explorer explorer(options, passed, *std::move(listed));
  if (Status done = explorer.Run(); !done) return done.error();

  const std::vector<Explored>& tests = explorer.tests();
  Kept kept;
  if (Status loaded = LoadKept(options, tests, kept); !loaded) {
    return loaded.error();
  }
  const ExitCode exit = ExitOf(tests);
  std::vector<report::JUnitCase> cases;
  for (const Explored& each : tests) {
    cases.push_back(CaseOf(each, kept, argv[0]));
  }
  const std::string xml = report::JUnitText(argv[0], cases);
  const Json result = JsonOf(tests, explorer.seconds(), exit);
  const report::View view = PlainView();
  if (options.json == "-" || options.format == "json") {
    PrintJson(stdout, result);
  } else if (options.format == "junit") {
    Print(stdout, xml);
  } else if (options.format != "text") {
    Print(stdout, FormatOf(options.format).findings(kept.list, view));
  } else {
    Print(stdout, TextOf(tests, kept, explorer.seconds(), options.quiet));
  }
  Flush(stdout);
  const auto put = [](std::optional<OutputFile>& file,
                      const std::string& text) -> Status {
    if (!file) return {};
    if (Status written = file->Write(text); !written) return written;
    return file->Finish();
  };
  if (Status written = put(junit, xml); !written) return written.error();
  if (Status written = put(json, JsonText(result)); !written) {
    return written.error();
  }
  if (Status written = files->Write(kept.list, &report::Format::findings, view);
      !written) {
    return written.error();
  }
  return exit;
}

}  // namespace fairlead::cli
