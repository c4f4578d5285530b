// cli/check_fix.cc
//
// `fairlead check-fix`: whether a patched program can still fail like a
// finding.

#include <stdio.h>

#include <memory>

#include "base/log.h"
#include "base/text.h"
#include "cli/bug_subject.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/print.h"
#include "cli/time_option.h"
#include "explore/aim/target_places.h"
#include "explore/campaign/campaign.h"
#include "explore/explain/certificate.h"
#include "explore/run/interrupt.h"

namespace fairlead::cli {
namespace {

using explore::Certificate;
using explore::FixVerdict;

struct CheckFixOptions {
  std::string bug;
  BugOptions options;
  explore::FixOptions fix;
  std::string search_time = "60s";
  uint64_t seed = 1;
  bool json = false;
};

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead check-fix bug.flbug -- ./patched\n"
    "  fairlead check-fix 1 -- ./patched --input data\n"
    "  fairlead check-fix 1 --search-time 10m -- ./patched\n"
    "      also looks for ten minutes for other ways to the same failure\n"
    "\n"
    "fixed: both sides of the orders that made it fail were found again and\n"
    "reached, none of the attempts to force them failed, and a lock, an order\n"
    "or an atomic operation is named that forbids them. A program that no\n"
    "longer comes to these places is unknown, not fixed.\n"
    "\n"
    "Exit codes: 0 fixed, 1 still there, 2 usage, 3 environment, 4 unknown.\n";

// What the search for other ways came to.
struct Searched {
  bool done = false;
  uint64_t executions = 0;
  bool found = false;
  std::vector<std::string> others;  // messages of other findings
};

// Stops the campaign at the same failure.
class Watch final : public explore::CampaignObserver {
 public:
  Watch(const finding::Finding& finding, Searched& searched)
      : finding_(finding), searched_(searched) {}
  Status OnProgress(const explore::Progress& progress) override {
    searched_.executions = progress.executions;
    return {};
  }
  Result<bool> OnFinding(const explore::Found& found) override {
    if (finding::IsSameBug(found.finding, finding_)) {
      searched_.found = true;
      return true;
    }
    searched_.others.push_back(found.finding.message);
    return false;
  }

 private:
  const finding::Finding& finding_;
  Searched& searched_;
};

Result<Searched> Search(const BugSubject& subject,
                        const CheckFixOptions& options,
                        std::chrono::nanoseconds time,
                        const explore::InterruptWatch& interrupts) {
  Searched searched;
  Result<std::unique_ptr<explore::Planner>> planner =
      explore::MakePlanner("auto", options.seed);
  if (!planner) return planner.error();
  const explore::Subject free = subject.Free();
  explore::CampaignOptions campaign = {.setting = free.setting,
                                       .expectations = free.expectations,
                                       .seed = options.seed,
                                       .time = time,
                                       .timeout = free.timeout,
                                       .predict = true,
                                       .tool = Version()};
  Watch watch(subject.bug().finding, searched);
  const explore::CampaignResult result = explore::RunCampaign(
      campaign, explore::ForkChoice::kMain, **planner, watch, interrupts);
  if (result.error) return *result.error;
  searched.done = result.ending != explore::CampaignEnding::kInterrupted;
  return searched;
}

std::string SearchText(const Searched& searched) {
  return fmt::format("looked for other ways in {}: none fails like that",
                     Counted(searched.executions, "execution"));
}

ExitCode ExitOf(FixVerdict verdict) {
  switch (verdict) {
    case FixVerdict::kFixed:
      return ExitCode::kNothingFound;
    case FixVerdict::kStillThere:
      return ExitCode::kFindings;
    case FixVerdict::kUnknown:
      return ExitCode::kUnknown;
  }
  return ExitCode::kUnknown;
}

Json MatchesJson(const std::vector<explore::StepMatch>& matches) {
  Json json = Json::array();
  for (const explore::StepMatch& match : matches) {
    json.push_back({{"matched", match.found()},
                    {"by", explore::WordsOf(match.by)},
                    {"file", match.place.file},
                    {"line", match.place.line},
                    {"why", match.why}});
  }
  return json;
}

std::vector<std::string> ForbiddenText(const finding::BugFile& bug,
                                       const Certificate& certificate) {
  std::vector<std::string> orders;
  for (const finding::StepPair& pair : certificate.forbidden) {
    orders.push_back(finding::PairText(*bug.ordering, pair));
  }
  return orders;
}

void Report(const CheckFixOptions& options, const BugSubject& subject,
            const Certificate& certificate,
            const std::optional<Searched>& searched) {
  const finding::BugFile& bug = subject.bug();
  if (options.json) {
    Json json = {{"command", "check-fix"},
                 {"result", explore::WordOf(certificate.verdict)},
                 {"reason", certificate.reason},
                 {"forbidden_by", certificate.forbids},
                 {"forbidden", ForbiddenText(bug, certificate)},
                 {"attempts", certificate.forced.tried},
                 {"failed", certificate.forced.failed},
                 {"steps", MatchesJson(certificate.matches)},
                 {"search", Json()},
                 {"exit_code", static_cast<int>(ExitOf(certificate.verdict))}};
    if (searched) {
      json["search"] = {{"executions", searched->executions},
                        {"found", searched->found},
                        {"other_failures", searched->others}};
    }
    PrintJson(stdout, json);
    return;
  }
  if (bug.ordering) {
    for (size_t i = 0; i < bug.ordering->target.edges.size(); ++i) {
      Print(stdout, fmt::format("order {}: {}\n", i + 1,
                                finding::EdgeText(*bug.ordering, i)));
    }
    for (const std::string& line : explore::MatchLines(
             *bug.ordering, certificate.matches, certificate.forbidden)) {
      Print(stdout, "  " + line + "\n");
    }
    for (const std::string& order : ForbiddenText(bug, certificate)) {
      Print(
          stdout,
          fmt::format("cannot be any more{}: {}\n",
                      certificate.forbidden.size() > 1 ? ", not together" : "",
                      order));
    }
  }
  if (searched && !searched->found) {
    Print(stdout, SearchText(*searched) + "\n");
    for (const std::string& other : searched->others) {
      Print(stdout, "  but in another way: " + other + "\n");
    }
  }
  Print(stdout, fmt::format("{}: {}\n", explore::WordOf(certificate.verdict),
                            certificate.reason));
}

Result<ExitCode> CheckFix(const CheckFixOptions& options,
                          const std::vector<std::string>& program) {
  const Result<std::chrono::nanoseconds> time =
      ParseTime("--search-time", options.search_time, NoTime::kAllowed);
  if (!time) return time.error();
  Result<finding::BugFile> bug = LoadBug(options.bug, options.options.store);
  if (!bug) return bug.error();
  if (program.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("no patched program")
        .Hint("put it behind two dashes: fairlead check-fix 1 -- ./patched");
  }
  BugSubject subject;
  if (Status prepared =
          subject.Prepare(*std::move(bug), program, options.options);
      !prepared) {
    return prepared.error();
  }
  const explore::InterruptWatch interrupts;
  Certificate certificate;
  if (!subject.bug().ordering) {
    certificate.reason =
        "no orders are known that are enough to make it fail; fairlead "
        "minimize looks for them";
  } else {
    const Result<trace::SiteTable> sites =
        explore::SitesOf(subject.setting().program.path);
    if (!sites) return sites.error();
    Result<std::unique_ptr<explore::Trials>> trials =
        explore::Trials::MakeWithoutSchedule(subject.Free());
    if (!trials) return trials.error();
    Result<Certificate> checked = explore::CheckFix(
        **trials, *subject.bug().ordering, *sites, options.fix);
    if (!checked) return checked.error();
    certificate = *std::move(checked);
  }
  // The wrong output is known, not which ones are right.
  const bool can_search =
      subject.bug().finding.kind != finding::Kind::kOutput &&
      subject.bug().finding.kind != finding::Kind::kRace &&
      subject.bug().finding.kind != finding::Kind::kTogether;
  std::optional<Searched> searched;
  if (certificate.verdict != FixVerdict::kStillThere && can_search &&
      time->count() != 0 && interrupts.signal() == 0) {
    Result<Searched> result = Search(subject, options, *time, interrupts);
    if (!result) return result.error();
    searched = *std::move(result);
    if (searched->found) {
      certificate.verdict = FixVerdict::kStillThere;
      certificate.reason = fmt::format(
          "it failed like the finding by another way, in execution {} of a "
          "search",
          searched->executions);
    } else if (!searched->done) {
      certificate.verdict = FixVerdict::kUnknown;
      certificate.reason =
          "stopped by the user; until then: " + certificate.reason;
    }
  }
  Report(options, subject, certificate, searched);
  return ExitOf(certificate.verdict);
}

}  // namespace

void AddCheckFix(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "check-fix",
      "Tell whether a patch forbids what made a finding fail:\n"
      "  fairlead check-fix [OPTIONS] BUG -- PROGRAM [ARGUMENTS...]");
  command->footer(kExamples);
  auto options = std::make_shared<CheckFixOptions>();
  command
      ->add_option("BUG", options->bug,
                   "A file of fairlead export, or the number of a finding")
      ->required();
  AddStoreOption(*command, options->options.store);
  AddBugOptions(*command, options->options);
  command->add_option("--stdin", options->options.input,
                      "File that the program reads as standard input");
  command
      ->add_option("--attempts", options->fix.attempts,
                   "Executions in which the orders are forced")
      ->check(CLI::Range(uint64_t{1}, uint64_t{100'000}))
      ->capture_default_str();
  command
      ->add_option("--search-time", options->search_time,
                   "How long to look for other ways to the same failure; 0 = "
                   "not at all")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of that search")
      ->check(WholeNumber())
      ->capture_default_str();
  command->add_flag("--json", options->json, "The result as JSON");
  command->callback([options, &invocation] {
    invocation.action = [options, &invocation] {
      const Result<ExitCode> exit = CheckFix(*options, invocation.program);
      return exit ? *exit
                  : Tell(exit.error(),
                         options->json ? Form::kJson : Form::kText);
    };
  });
}

}  // namespace fairlead::cli
