// cli/check_history.cc
//
// `fairlead check-history`: is what clients of an object saw what some order of
// their operations gives? For histories that other tools have recorded.

#include <stdio.h>

#include <chrono>
#include <memory>

#include "base/file.h"
#include "base/patience.h"
#include "cli/command.h"
#include "cli/print.h"
#include "explore/run/interrupt.h"
#include "lin/check.h"
#include "report/history.h"

namespace fairlead::cli {
namespace {

using Clock = std::chrono::steady_clock;

// A history of 10^5 operations has about ten of them.
constexpr size_t kMaxHistoryBytes = size_t{512} << 20;

struct HistoryCheckOptions {
  std::string model;
  std::vector<std::string> files;
  std::string initial;
  std::string failed_cas = "form";
  double seconds = 60;
  double megabytes = 1024;
  bool json = false;
};

lin::FailedCas FailedCasOf(const std::string& word) {
  if (word == "answer") return lin::FailedCas::kAnswer;
  if (word == "nothing") return lin::FailedCas::kNothing;
  return lin::FailedCas::kByForm;
}

// Numbers, true, false and null as in JSON; else it is a string.
Json InitialOf(const std::string& text) {
  if (text.empty()) return Json();
  const Result<Json> value = ParseJson(text);
  return value ? *value : Json(text);
}

Result<report::CheckedHistory> CheckFile(const std::string& path,
                                         const lin::ModelKind& kind,
                                         const HistoryCheckOptions& options) {
  const auto began = Clock::now();
  const std::optional<std::chrono::nanoseconds> limit =
      TimeLimit(options.seconds);
  const Deadline deadline(limit ? std::optional(began + *limit) : std::nullopt);
  const Result<std::string> text = ReadFile(path, kMaxHistoryBytes);
  if (!text) return text.error();
  const Result<lin::EventFile> events = lin::ParseEventsUntrusted(*text);
  if (!events) return events.error().In(path);
  lin::ValueTable values;
  const Result<lin::Histories> histories = lin::MakeHistories(
      *events, kind, {.failed_cas = FailedCasOf(options.failed_cas)}, values);
  if (!histories) return histories.error().In(path);
  const lin::Budget budget = {
      .max_bytes = static_cast<size_t>(options.megabytes * 1024 * 1024),
      .is_over = ShouldStop};
  report::CheckedHistory checked{.file = path, .model = std::string(kind.name)};
  checked.checked = Check(
      *histories, kind, values.Add(InitialOf(options.initial)), values, budget);
  checked.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return checked;
}

// Wrong goes before unknown, as everywhere.
ExitCode ExitOf(const std::vector<report::CheckedHistory>& all) {
  ExitCode exit = ExitCode::kNothingFound;
  for (const report::CheckedHistory& each : all) {
    if (each.checked.verdict == lin::Verdict::kNo) return ExitCode::kFindings;
    if (each.checked.verdict == lin::Verdict::kUnknown) {
      exit = ExitCode::kUnknown;
    }
  }
  return exit;
}

Result<ExitCode> Run(const HistoryCheckOptions& options) {
  const lin::ModelKind* const kind = lin::FindModel(options.model);
  const explore::InterruptWatch interrupts;
  std::vector<report::CheckedHistory> all;
  for (const std::string& path : options.files) {
    Result<report::CheckedHistory> checked = CheckFile(path, *kind, options);
    if (!checked) return checked.error();
    if (!options.json) Print(stdout, report::HistoryText(*checked));
    all.push_back(std::move(*checked));
    if (interrupts.signal() != 0) break;
  }
  if (options.json) Print(stdout, JsonText(report::HistoriesJson(all)));
  if (interrupts.signal() != 0) {
    return Error(ErrorCode::kInterrupted)
        .Say("stopped after {} of {} histories", all.size(),
             options.files.size());
  }
  return ExitOf(all);
}

std::string ModelProblem(const std::string& name) {
  if (lin::FindModel(name) != nullptr) return "";
  std::string names;
  for (const lin::ModelKind& kind : lin::ModelKinds()) {
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  }
  return fmt::format("there is no model '{}'; there are {}", name, names);
}

std::string Footer() {
  std::string text = "Models:\n";
  for (const lin::ModelKind& kind : lin::ModelKinds()) {
    text += fmt::format("  {:<10} {}\n", kind.name, kind.summary);
  }
  return text +
         "\n"
         "Examples:\n"
         "  fairlead check-history --model register history.edn\n"
         "  fairlead check-history --model key-value --time 10 *.jsonl\n"
         "\n"
         "A history is what clients asked and were answered, in the order of\n"
         "time: EDN maps or JSON objects with process, type (invoke, ok, "
         "fail,\n"
         "info), f, value and perhaps key; or lines of Jepsen's log. What\n"
         "failed did not happen; what is info, or never ends, may have. Keys,\n"
         "also those in values [key value], are objects of their own.\n"
         "Exit codes: 0 linearizable, 1 not, 2 usage, 3 a file cannot be "
         "read,\n"
         "4 unknown within --time and --memory.\n";
}

}  // namespace

void AddCheckHistory(CLI::App& app, Invocation& invocation) {
  CLI::App* check = app.add_subcommand(
      "check-history", "Say whether a recorded history is linearizable");
  check->footer(Footer());
  auto options = std::make_shared<HistoryCheckOptions>();
  check->add_option("FILE", options->files, "Histories, each by itself")
      ->required();
  check
      ->add_option("--model", options->model,
                   "What the object should be: see below")
      ->required()
      ->check(CLI::Validator(ModelProblem, "MODEL"));
  check->add_option("--initial", options->initial,
                    "What a register, key or counter holds at first; default: "
                    "nil, or 0");
  check
      ->add_option("--failed-cas", options->failed_cas,
                   "What a cas that failed says: answer (it was not what was "
                   "expected), nothing (it did not happen), or, by the form of "
                   "the file, answer in logs and nothing elsewhere")
      ->check(CLI::IsMember({"form", "answer", "nothing"}))
      ->capture_default_str();
  check
      ->add_option("--time", options->seconds,
                   "Seconds for each file; 0 = no limit")
      ->check(Seconds())
      ->capture_default_str();
  check
      ->add_option("--memory", options->megabytes,
                   "Megabytes for what a search has seen")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  check->add_flag("--json", options->json, "As JSON");
  check->callback([options, &invocation] {
    invocation.action = [options] {
      const Result<ExitCode> exit = Run(*options);
      return exit ? *exit
                  : Tell(exit.error(),
                         options->json ? Form::kJson : Form::kText);
    };
  });
}

}  // namespace fairlead::cli
