// cli/predict.cc
//
// `fairlead predict`: one execution, and what other schedules of it could do.

#include <chrono>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/patience.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/facts.h"
#include "cli/findings.h"
#include "cli/look_for.h"
#include "cli/predict_outcome.h"
#include "cli/predict_record.h"
#include "cli/print.h"
#include "cli/trace_input.h"
#include "explore/campaign/confirm.h"
#include "explore/judge/verdict.h"
#include "explore/run/interrupt.h"
#include "explore/run/runner.h"
#include "explore/run/strategy_spec.h"
#include "explore/watch/prediction_observer.h"
#include "finding/suppressions.h"
#include "finding/target.h"
#include "report/predictions.h"
#include "trace/file_reader.h"
#include "trace/program_tables.h"

namespace fairlead::cli {
namespace {

using analysis::Prediction;

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead predict -- ./app\n"
    "      one execution; what another schedule of it could run into\n"
    "  fairlead predict --analyses deadlock,race --json -- ./app\n"
    "  fairlead predict --targets wrong -- ./app\n"
    "      each prediction as a file, to be forced\n"
    "  fairlead predict --trace app.trace\n"
    "      the same from a stored trace\n"
    "  fairlead predict --client 'curl -sf localhost:8080' -- ./server 8080\n"
    "      of a server, with a client\n"
    "  fairlead predict --force --all -- ./app\n"
    "      make each happen, and rank them by what came of it\n"
    "\n"
    "A prediction says which steps of which threads could come in another\n"
    "order, not that this order exists or does harm. Forcing it shows that.\n"
    "Predictions of a program are kept; fairlead bugs lists them.\n"
    "Exit codes: 0 nothing failed, whatever is predicted, 1 the execution\n"
    "failed or, with --force, something observable came of a prediction, 2\n"
    "usage, 3 environment, 4 unknown, 70 a bug in fairlead.\n";

struct PredictOptions {
  std::string strategy = "first";
  uint64_t seed = 1;
  std::vector<std::string> analyses;  // empty = all
  std::vector<std::string> look_for;  // words; empty = all
  std::string trace;                  // file; "" = run a program
  std::string targets;                // directory; "" = none
  std::string suppressions;           // file; "" = none
  std::string facts;                  // file; "" = fairlead.facts, if there
  std::string drive;                  // command; "" = the program is no server
  std::string store;
  double timeout_s = 0;
  std::string early_timeouts = "short";
  uint64_t max_steps = 0;
  bool force = false;
  bool all = false;
  bool json = false;
  analysis::Declared declared = {};  // by facts
};

std::vector<std::unique_ptr<analysis::Analysis>> Chosen(
    const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<analysis::Analysis>> chosen;
  for (const std::string& name : names) {
    chosen.push_back(analysis::FindAnalysis(name)->make());
  }
  return chosen;
}

// `options` outlive it.
analysis::Predictor MakePredictor(const PredictOptions& options) {
  analysis::Predictor predictor =
      options.analyses.empty() ? analysis::Predictor(options.look_for)
                               : analysis::Predictor(Chosen(options.analyses));
  predictor.Declare(options.declared);
  return predictor;
}

// A mistake in a file is told before anything runs; what is suppressed is told
// later.
Status ReadDeclared(PredictOptions& options) {
  const Result<std::vector<fact::Fact>> facts =
      WrittenFacts(options.facts, options.suppressions, Noise::kQuiet);
  if (!facts) return facts.error();
  options.declared = DeclaredBy(*facts);
  return {};
}

// Of one attempt to force a prediction, when the user names no other.
constexpr std::chrono::seconds kForceLimit(20);

Status WriteTargets(const explore::Predicted& predicted,
                    const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) {
    return SystemError(failed.value(), "cannot make directory " + directory);
  }
  size_t number = 0;
  for (const Prediction& each : predicted.predictions) {
    const std::string path = fmt::format("{}/{}.target", directory, ++number);
    Result<OutputFile> file = OutputFile::Create(path);
    if (!file) return file.error();
    const std::string text = "// " +
                             analysis::SentenceOf(each, predicted.names) +
                             "\n" + finding::PrintTarget(each.target);
    if (Status put = file->Write(text); !put) return put;
    if (Status put = file->Finish(); !put) return put;
  }
  return {};
}

// Takes away what the user does not want to hear of.
Status Suppress(explore::Predicted& predicted, report::Predictions& report,
                const PredictOptions& options) {
  const Result<std::vector<fact::Fact>> facts =
      WrittenFacts(options.facts, options.suppressions,
                   options.json ? Noise::kQuiet : Noise::kNotes);
  if (!facts) return facts.error();
  const finding::Suppressions rules = SuppressionsOf(*facts);
  report.num_suppressed =
      std::erase_if(predicted.predictions, [&](const Prediction& each) {
        const std::string_view kind =
            each.analysis == "hybrid" ? "race" : each.analysis;
        return rules
            .Match(kind, analysis::PlacesOf(each, predicted.names),
                   analysis::SentenceOf(each, predicted.names))
            .has_value();
      });
  return {};
}

// Gives the exit code: a prediction is no finding; what forcing it shows is
// one.
ExitCode Show(report::Predictions report, const PredictOptions& options) {
  for (const report::Prediction& each : report.predictions) {
    if (report.forced && report::IsShown(each, report)) {
      report.exit = ExitCode::kFindings;
    }
  }
  if (report.stopped_after && report.exit == ExitCode::kNothingFound) {
    report.exit = ExitCode::kUnknown;
  }
  if (options.json) {
    PrintJson(stderr, report::PredictionsJson(report));
    return report.exit;
  }
  const auto shown = options.all ? report::Shown::kAll : report::Shown::kLikely;
  Print(stderr, report::PredictionsText(report, shown));
  for (const std::string& line : report::PredictionsSummary(report, shown)) {
    Note("{}", line);
  }
  return report.exit;
}

// `order` is the program's, to force predictions with; null = they cannot be.
// `report` has what is known of the execution.
Result<ExitCode> Finish(explore::Predicted predicted,
                        report::Predictions report,
                        const PredictOptions& options,
                        const explore::Order* order) {
  if (Status done = Suppress(predicted, report, options); !done) {
    return done.error();
  }
  if (!options.targets.empty()) {
    if (Status put = WriteTargets(predicted, options.targets); !put) {
      return put.error();
    }
  }
  std::vector<ForcedPrediction> predictions;
  std::optional<PredictRecord> record;
  if (order != nullptr) {
    record.emplace(options.store, *order);
    record->Keep(predicted);
  }
  if (options.force && order != nullptr) {
    Result<ForcedAll> forced =
        ForceAll(std::move(predicted.predictions), *order,
                 [&](const Prediction& each, const explore::Forced& came) {
                   return record->Keep(each, predicted.names, came);
                 });
    if (!forced) return forced.error();
    predictions = std::move(forced->predictions);
    report.forced = true;
    if (forced->stopped) report.stopped_after = forced->num_forced;
  } else {
    for (Prediction& each : predicted.predictions) {
      predictions.push_back({.prediction = std::move(each)});
    }
  }
  report.num_events = predicted.num_events;
  report.num_left_out = predicted.num_left_out;
  for (const ForcedPrediction& each : predictions) {
    report.predictions.push_back(ReportOf(each, predicted.names));
  }
  return Show(std::move(report), options);
}

Result<ExitCode> FromTrace(const PredictOptions& options) {
  TraceInput input;
  input.file = options.trace;
  Result<trace::FileReader> reader = input.Open();
  if (!reader) return reader.error();
  analysis::Predictor predictor = MakePredictor(options);
  trace::NamedTables tables(reader->names());
  predictor.OnBegin(tables);
  explore::Predicted predicted;
  // Behind ^C the rest is only read.
  const auto stopped = [] { return HadEnough() == Enough::kUser; };
  const Status read = ForEachEvent(*reader, {}, [&](const trace::Event& event) {
    if (stopped()) return;
    predictor.OnEvent(event);
    ++predicted.num_events;
  });
  if (!read) return read.error();
  if (stopped()) {
    return Error(ErrorCode::kInterrupted)
        .Say("stopped by the user: nothing was predicted");
  }
  predictor.OnEnd();
  predicted.names = reader->names();
  predicted.num_left_out = predictor.list().num_left_out();
  predicted.predictions = explore::NamedAndMerged(
      std::move(predictor.list().predictions()), predicted.names);
  return Finish(std::move(predicted), {}, options, nullptr);
}

// The same with a client, to whom the program is a server.
Result<explore::Executed> ExecuteDriven(const explore::Order& order,
                                        const std::string& client) {
  const explore::InterruptWatch interrupts;
  Result<std::unique_ptr<explore::Runner>> runner =
      explore::MakeFreshRunner({.program = order.program,
                                .argv = order.argv,
                                .environment = order.environment,
                                .runtime = order.runtime,
                                .stdin_path = "",
                                .drive = client});
  if (!runner) return runner.error();
  explore::Task task = {
      .plan = order.plan, .timeout = order.timeout, .observer = order.observer};
  task.plan.flags |= abi::kPlanDriven;
  Result<explore::Finished> finished = explore::RunOne(**runner, task);
  if (!finished) return finished.error();
  if (!finished->client) {
    return Error(ErrorCode::kUnknown)
        .Say(
            "the client never ran: the program neither listened nor said "
            "that it is ready")
        .Hint("fairlead_ready() says so");
  }
  if (finished->client->ending.exit_code != 0) {
    Warn("the client ended with {}", EndingText(finished->client->ending));
  }
  return std::move(finished->executed);
}

Result<ExitCode> FromProgram(const PredictOptions& options,
                             const std::vector<std::string>& argv) {
  if (argv.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("neither a program nor a trace")
        .Hint("put the program behind two dashes: fairlead predict -- ./app");
  }
  if (options.force && !options.drive.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("--force and --client do not go together")
        .Hint("fairlead test --client forces what it predicts of a server");
  }
  Result<explore::Order> made = explore::OrderFor(argv);
  if (!made) return made.error();
  explore::Order& order = *made;
  if (!order.program.instrumented && !options.json) {
    Note(
        "{} was not built with fairlead-cc: only its synchronisation calls are "
        "seen, which is enough for deadlocks",
        PrintableLine(argv[0]));
  }
  Result<explore::StrategySpec> strategy =
      explore::ParseStrategySpec(options.strategy);
  if (!strategy) return strategy.error();
  explore::PredictionObserver observer(MakePredictor(options));
  explore::EventStream stream(observer);
  order.observer = &stream;
  order.plan.strategy = static_cast<uint32_t>(strategy->id);
  std::ranges::copy(strategy->params, order.plan.params);
  const uint64_t early = EarlyFlagOf(options.early_timeouts);
  order.plan.flags =
      abi::kPlanQuiet | observer.plan_flags() | abi::kPlanNoDigest | early;
  order.plan.seed = options.seed;
  order.plan.max_steps = options.max_steps;
  order.timeout = TimeLimit(options.timeout_s);
  const Result<explore::Executed> executed =
      options.drive.empty() ? explore::Execute(order)
                            : ExecuteDriven(order, options.drive);
  if (!executed) return executed.error();
  if (HadEnough() == Enough::kUser) {
    return Error(ErrorCode::kInterrupted)
        .Say("stopped by the user: nothing was predicted");
  }
  explore::Namer namer(*executed->memory);
  const explore::Verdict verdict = explore::Judge(*executed, {}, namer);
  if (!stream.status()) return stream.status().error();
  const report::Predictions report = {
      .said = fmt::format("{}: {}", WordOf(verdict.word), verdict.sentence),
      .exit = verdict.exit};
  order.observer = nullptr;
  order.plan.flags = abi::kPlanQuiet | abi::kPlanRecord | early;
  if (!order.timeout) order.timeout = kForceLimit;
  return Finish(observer.Finish(namer), report, options, &order);
}

void AddOptions(CLI::App& predict, PredictOptions& options) {
  std::vector<std::string> names;
  for (const analysis::AnalysisEntry& entry : analysis::Analyses()) {
    names.emplace_back(entry.name);
  }
  AddEarlyTimeouts(predict, options.early_timeouts);
  CLI::Option* look_for = AddLookFor(predict, options.look_for);
  predict.add_option("--analyses", options.analyses, "Which ones; all if none")
      ->excludes(look_for)
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  predict
      .add_option("--strategy", options.strategy,
                  "Who decides which thread goes on")
      ->capture_default_str();
  predict.add_option("--seed", options.seed, "Seed of all random choices")
      ->check(WholeNumber())
      ->capture_default_str();
  predict.add_option("--trace", options.trace,
                     "Read this trace file instead of running a program");
  predict.add_option("--targets", options.targets,
                     "Write each prediction to a file in this directory");
  predict
      .add_option("--max-steps", options.max_steps,
                  "Cut the execution after so many steps; 0 = never")
      ->check(WholeNumber())
      ->capture_default_str();
  predict
      .add_option("--timeout", options.timeout_s,
                  "Cut the execution after so many seconds; 0 = never")
      ->check(Seconds())
      ->capture_default_str();
  predict.add_option("--suppressions", options.suppressions,
                     "A file of suppressions only, besides those of --facts");
  AddFactsOption(predict, options.facts);
  predict.add_option("--client,--drive", options.drive,
                     "The program is a server: run this command against it "
                     "when it listens, or says that it is ready, and then end "
                     "it by SIGTERM");
  AddStoreOption(predict, options.store);
  predict.add_flag("--force", options.force,
                   "Make each happen if it can, and show the worst first");
  predict.add_flag("--all", options.all,
                   "Also unlikely ones; with --force, those without an "
                   "observable effect");
  predict.add_flag("--json", options.json, "As JSON, on standard error");
}

}  // namespace

void AddPredict(CLI::App& app, Invocation& invocation) {
  CLI::App* predict = app.add_subcommand(
      "predict",
      "Run a program once and say what other schedules could do:\n"
      "  fairlead predict [OPTIONS] -- PROGRAM [ARGUMENTS...]");
  std::string analyses = "Analyses:\n";
  for (const analysis::AnalysisEntry& entry : analysis::Analyses()) {
    analyses += fmt::format("  {:<12} {}\n", entry.name, entry.help);
  }
  predict->footer(analyses + "\n" + kExamples);
  auto options = std::make_shared<PredictOptions>();
  AddOptions(*predict, *options);
  predict->callback([options, &invocation] {
    invocation.action = [options, &invocation] {
      const Status read = ReadDeclared(*options);
      const Result<ExitCode> exit =
          !read                    ? Result<ExitCode>(read.error())
          : options->trace.empty() ? FromProgram(*options, invocation.program)
                                   : FromTrace(*options);
      if (exit) return *exit;
      return Tell(exit.error(), options->json ? Form::kJson : Form::kText);
    };
  });
}

}  // namespace fairlead::cli
