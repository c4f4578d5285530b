// cli/force.cc
//
// `fairlead force`: makes a target happen, if it can happen.

#include <stdio.h>
#include <unistd.h>

#include <memory>

#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/launch.h"
#include "cli/print.h"
#include "explore/aim/force.h"
#include "explore/aim/target_places.h"
#include "explore/names/schedule_of.h"
#include "report/forced.h"

namespace fairlead::cli {
namespace {

using explore::Executed;
using explore::Reached;

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead force race-1.target -- ./app\n"
    "      make a predicted interleaving happen\n"
    "  fairlead force --schedule-out bug.sched race-1.target -- ./app\n"
    "  fairlead run --schedule bug.sched -- ./app\n"
    "  fairlead force P1 -- ./app\n"
    "      one that `fairlead bugs` lists\n"
    "      keep the execution that showed it, and repeat it\n"
    "\n"
    "Exit codes: 0 the target was realised and the program ended well, 1 the\n"
    "program failed on the way, 2 usage, 3 environment, 4 the target was not\n"
    "realised, 70 a bug in fairlead.\n";

struct ForceOptions {
  std::string target;
  std::string store;
  uint64_t attempts = explore::kDefaultAttempts;
  uint64_t seed = 1;
  std::string carrier = "fiber";
  std::string base;
  std::string schedule_out;
  std::vector<int> ok_exits;
  double timeout_s = 60;
  std::string early_timeouts = "short";
  bool json = false;
};

std::string_view WordOf(Reached reached) {
  switch (reached) {
    case Reached::kRealised:
      return "realised";
    case Reached::kPartly:
      return "partly";
    case Reached::kNothing:
      return "not-reached";
  }
  return "not-reached";
}

std::string ScheduleText(const Executed& executed, trace::Identity identity,
                         const ForceOptions& options) {
  explore::Namer namer(*executed.memory);
  trace::Schedule schedule =
      explore::ScheduleOf(executed, std::move(identity), namer);
  schedule.tool = Version();
  schedule.strategy = "director";
  schedule.seed = options.seed;
  schedule.carrier = options.carrier;
  schedule.outcome =
      WordOf(explore::Judge(executed, options.ok_exits, namer).word);
  return trace::PrintSchedule(schedule, explore::PlacesOf(executed, namer));
}

void Report(const finding::Target& target, const explore::Forced& forced,
            ExitCode exit, Form form) {
  report::ForcedTarget model = {.result = std::string(WordOf(forced.reached)),
                                .target = target,
                                .attempts = forced.attempts,
                                .further = forced.further,
                                .stopped = forced.stopped,
                                .steps_done = forced.progress.best,
                                .steps_in_sight = forced.progress.in_sight,
                                .why = forced.why,
                                .ended = EndedOf(forced.verdict)};
  if (forced.prepared) model.prepared = *forced.prepared;
  model.ended.exit = exit;
  if (form == Form::kJson) {
    PrintJsonLine(stderr, report::ForcedJson(model));
    return;
  }
  for (const std::string& line : report::ForcedLines(model)) Note("{}", line);
}

// What the user names: a file, or a prediction of the store.
Result<finding::Target> TargetOf(const ForceOptions& options) {
  const bool file = access(options.target.c_str(), F_OK) == 0;
  const Result<store::FindingId> id = ParseFindingId(options.target);
  if (file || !id) {
    const Result<std::string> text = ReadFile(options.target, kMaxTextBytes);
    if (!text) return text.error();
    if (!text->ends_with('\n')) {
      return Error(ErrorCode::kTruncated)
          .Say("{} is not whole: its last line has no end", options.target)
          .Hint("fairlead predict --targets DIRECTORY writes targets");
    }
    Result<finding::Target> target = finding::ParseTargetUntrusted(*text);
    if (!target) return target.error().In(options.target);
    return target;
  }
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) return store.error();
  Result<store::StoredFinding> stored = (*store)->Load(*id);
  if (!stored) return stored.error();
  if (!stored->finding.witness.aim) {
    return Error(ErrorCode::kUsage)
        .Say("finding {} is no prediction: there is nothing to force",
             options.target)
        .Hint("fairlead replay {} repeats it", options.target);
  }
  return std::move(stored->finding.witness.aim->target);
}

Result<ExitCode> Force(const ForceOptions& options,
                       const std::vector<std::string>& argv, Form form) {
  if (argv.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("no program")
        .Hint("put it behind two dashes: fairlead force a.target -- ./app");
  }
  const Result<finding::Target> target = TargetOf(options);
  if (!target) return target.error();
  Result<explore::Order> made = explore::OrderFor(argv);
  if (!made) return made.error();
  explore::Order& order = *made;
  explore::Forcing forcing = {.attempts = options.attempts};
  if (!options.base.empty()) {
    const auto base = explore::ParseStrategySpec(options.base);
    if (!base) return base.error();
    forcing.base = *base;
  }
  order.plan.flags = abi::kPlanRecord | abi::kPlanQuiet | abi::kPlanNoDigest |
                     EarlyFlagOf(options.early_timeouts);
  order.plan.seed = options.seed;
  order.plan.carrier = CarrierOf(options.carrier);
  order.timeout = TimeLimit(options.timeout_s);
  std::optional<OutputFile> file;
  if (!options.schedule_out.empty()) {
    auto created = OutputFile::Create(options.schedule_out);
    if (!created) return created.error();
    file.emplace(*std::move(created));
  }
  const Result<trace::SiteTable> sites = explore::SitesOf(order.program.path);
  if (!sites) return sites.error();
  const Result<finding::Target> anchored =
      explore::WithAnchors(*target, *sites);
  if (!anchored) return anchored.error().In(options.target);
  const Result<explore::Forced> forced =
      explore::ForceTarget(*anchored, order, options.ok_exits, forcing);
  if (!forced) return forced.error();
  if (file) {
    const std::string schedule = ScheduleText(
        *forced->last,
        explore::IdentityOf(order.program, argv, order.environment), options);
    if (Status put = file->Write(schedule); !put) return put.error();
    if (Status put = file->Finish(); !put) return put.error();
  }
  ExitCode exit = ExitCode::kUnknown;
  if (forced->verdict.exit == ExitCode::kFindings) {
    exit = ExitCode::kFindings;
  } else if (forced->reached == Reached::kRealised && !forced->stopped) {
    exit = ExitCode::kNothingFound;
  }
  Report(*anchored, *forced, exit, form);
  return exit;
}

}  // namespace

void AddForce(CLI::App& app, Invocation& invocation) {
  CLI::App* force = app.add_subcommand(
      "force",
      "Make an interleaving happen that a target describes:\n"
      "  fairlead force [OPTIONS] TARGET -- PROGRAM [ARGUMENTS...]");
  force->footer(kExamples);
  auto options = std::make_shared<ForceOptions>();
  force
      ->add_option("TARGET", options->target,
                   "File with the target, or a prediction of the store (P1)")
      ->required();
  AddStoreOption(*force, options->store);
  force
      ->add_option("--attempts", options->attempts,
                   "Executions, each with another base schedule")
      ->check(CLI::Range(uint64_t{1}, uint64_t{10'000}))
      ->capture_default_str();
  force->add_option("--base", options->base,
                    "Strategy for threads that the target leaves alone, such\n"
                    "as pct:3; without it older threads go first, then\n"
                    "younger ones, then by random preference");
  force->add_option("--seed", options->seed, "Seed of all random choices")
      ->check(WholeNumber())
      ->capture_default_str();
  AddEarlyTimeouts(*force, options->early_timeouts);
  force->add_option("--carrier", options->carrier, "fiber or thread")
      ->check(CLI::IsMember({"fiber", "thread"}))
      ->capture_default_str();
  force->add_option("--schedule-out", options->schedule_out,
                    "Write the schedule of the last attempt to this file");
  force
      ->add_option(
          "--ok-exit", options->ok_exits,
          "An exit code of the program that is right, besides 0; repeatable")
      ->check(CLI::Range(0, 255));
  force
      ->add_option("--timeout", options->timeout_s,
                   "Cut an attempt after so many seconds; 0 = never")
      ->check(Seconds())
      ->capture_default_str();
  force->add_flag("--json", options->json,
                  "The report as one line of JSON on standard error");
  force->callback([options, &invocation] {
    invocation.action = [options, &invocation] {
      const Form form = options->json ? Form::kJson : Form::kText;
      const Result<ExitCode> exit = Force(*options, invocation.program, form);
      return exit ? *exit : Tell(exit.error(), form);
    };
  });
}

}  // namespace fairlead::cli
