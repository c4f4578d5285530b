// cli/minimize.cc
//
// `fairlead minimize`: makes the schedule of a finding small, and finds the
// orders that are enough to make it fail.

#include <stdio.h>

#include <memory>

#include "base/log.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/findings.h"
#include "cli/print.h"
#include "explore/run/interrupt.h"

namespace fairlead::cli {
namespace {

struct MinimizeOptions {
  ReplayOptions finding;
  explore::ExplainOptions explain;
  bool no_orders = false;
  bool json = false;
};

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead minimize 1\n"
    "  fairlead minimize 1 --executions 5000\n"
    "  fairlead show 1\n"
    "      begins from the small schedule\n"
    "\n"
    "A campaign does this by itself, in a few seconds, when it has found\n"
    "something. The original schedule is kept as well.\n"
    "\n"
    "Exit codes: 0 the small schedule is kept, 2 usage, 3 environment, 4 it "
    "could\n"
    "not be made small, or was stopped; the original is kept.\n";

Result<ExitCode> Minimize(const MinimizeOptions& options) {
  Rerun rerun(options.finding);
  if (Status prepared = rerun.Prepare(); !prepared) return prepared.error();
  const explore::Subject subject = SubjectOf(rerun);
  const std::string not_tried =
      explore::NotToBeTried(subject, rerun.RepetitionOf().driven);
  if (!not_tried.empty()) {
    return Error(ErrorCode::kUnknown)
        .Say("finding {} is not made smaller: {}", options.finding.id,
             not_tried);
  }
  const explore::InterruptWatch interrupts;
  Result<explore::Explained> explained =
      explore::Explain(subject, options.explain);
  if (interrupts.signal() != 0) {
    return Error(ErrorCode::kInterrupted)
        .Say("stopped by the user; finding {} keeps its schedule",
             options.finding.id);
  }
  if (!explained) {
    return Error(explained.error())
        .In(fmt::format("finding {} keeps its schedule", options.finding.id));
  }
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.finding.store, store::IfMissing::kFail);
  if (!store) return store.error();
  const finding::Explanation& explanation = explained->explanation;
  if (Status kept = (*store)->Explain(rerun.id(), explanation); !kept) {
    return kept.error();
  }
  if (options.json) {
    Json json = {{"command", "minimize"}, {"finding", options.finding.id}};
    json.update(ExplanationJson(explanation, explained->no_orders));
    PrintJson(stdout, json);
    return ExitCode::kNothingFound;
  }
  Note("{}", SmallerText(explanation));
  Note("it took {} executions", explanation.executions);
  if (explanation.ordering) {
    for (const std::string& line :
         finding::OrderingLines(*explanation.ordering)) {
      Print(stdout, line + "\n");
    }
  } else if (!explained->no_orders.empty()) {
    Note("no orders are known to be enough: {}", explained->no_orders);
  }
  return ExitCode::kNothingFound;
}

}  // namespace

void AddMinimize(CLI::App& app, Invocation& invocation) {
  CLI::App* minimize = app.add_subcommand(
      "minimize", "Make the schedule of a finding as small as it will go");
  minimize->footer(kExamples);
  auto options = std::make_shared<MinimizeOptions>();
  minimize->add_option("finding", options->finding.id, "Its number")
      ->required();
  AddStoreOption(*minimize, options->finding.store);
  minimize
      ->add_option("--executions", options->explain.limit,
                   "At most so many to make it small")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}))
      ->capture_default_str();
  minimize
      ->add_option("--seeds", options->explain.ordering.seeds,
                   "So many with which each claim about orders is counted")
      ->check(CLI::Range(uint64_t{1}, uint64_t{10'000}))
      ->capture_default_str();
  minimize->add_flag("--no-orders", options->no_orders,
                     "The schedule only; no search for the orders that are "
                     "enough");
  minimize->add_flag("--force", options->finding.force,
                     "Also with another build");
  minimize->add_option("--judge", options->finding.judge,
                       "The command that judges the output; as in fairlead "
                       "replay");
  minimize->add_option("--before", options->finding.before,
                       "A command to run before each execution; as in fairlead "
                       "replay");
  minimize->add_flag("--allow-stored-commands",
                     options->finding.allow_stored_commands,
                     "Run the commands that are kept in the store");
  minimize->add_flag("--json", options->json, "The result as JSON");
  minimize->callback([options, &invocation] {
    invocation.action = [options] {
      options->explain.orders = !options->no_orders;
      const Result<ExitCode> exit = Minimize(*options);
      return exit ? *exit
                  : Tell(exit.error(),
                         options->json ? Form::kJson : Form::kText);
    };
  });
}

}  // namespace fairlead::cli
