// cli/bugs.cc
//
// `fairlead bugs`: the findings that are kept, one line each, and what becomes
// of them.

#include <stdio.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/print.h"

namespace fairlead::cli {
namespace {

using store::FindingStatus;
using store::StoredFinding;

struct BugsOptions {
  std::string store;
  std::vector<std::string> clear, ignore, reopen;
  bool all = false;
  bool json = false;
};

Status Set(store::Store& store, const std::vector<std::string>& names,
           FindingStatus status) {
  for (const std::string& name : names) {
    const Result<store::FindingId> id = ParseFindingId(name);
    if (!id) return id.error();
    if (Status set = store.SetStatus(*id, status); !set) return set;
    Note("finding {} is {} now", store::NameOf(*id), store::WordOf(status));
  }
  return {};
}

std::string Line(const StoredFinding& stored) {
  const finding::Finding& finding = stored.finding;
  std::string text = fmt::format(
      "{:>4}  {:<8} {:<7} {:<10} {}: {}\n", store::NameOf(stored.id),
      store::WordOf(stored.status), finding::WordOf(finding.severity),
      finding::WordOf(finding.verdict), finding::TitleOf(finding.kind),
      finding.message);
  if (store::IsPrediction(stored.id)) {
    return text + fmt::format("      {}, predicted in {}\n", TypedName(stored),
                              Counted(stored.num_campaigns, "campaign"));
  }
  text += fmt::format("      {}, seen {} in {}{}\n", TypedName(stored),
                      Counted(stored.times, "time"),
                      Counted(stored.num_campaigns, "campaign"),
                      finding.always ? ", fails always" : "");
  return text;
}

// What came of predictions that were forced in vain, and those that many
// programs mean as they are, are for those who ask.
bool IsListed(const StoredFinding& stored) {
  return stored.status == FindingStatus::kOpen &&
         stored.finding.verdict != finding::Verdict::kRefuted &&
         (!store::IsPrediction(stored.id) ||
          stored.finding.severity != finding::Severity::kInfo);
}

// "1 cleared or ignored, 2 refuted or unlikely"; "" = nothing.
std::string HiddenText(size_t findings, size_t predictions) {
  std::string text;
  if (findings != 0) text = fmt::format("{} cleared or ignored", findings);
  if (predictions != 0) {
    text += fmt::format("{}{} refuted or unlikely", text.empty() ? "" : ", ",
                        predictions);
  }
  return text;
}

// Those that an execution has shown first, then predictions; the most severe
// first.
std::string ListText(const std::vector<StoredFinding>& findings, bool all) {
  std::string shown;
  std::string predicted;
  size_t hidden = 0;
  size_t hidden_predictions = 0;
  for (const StoredFinding& stored : findings) {
    const bool prediction = store::IsPrediction(stored.id);
    if (all || IsListed(stored)) {
      (prediction ? predicted : shown) += Line(stored);
    } else {
      ++(prediction ? hidden_predictions : hidden);
    }
  }
  std::string text = shown.empty() ? "no open findings\n" : shown;
  if (!predicted.empty()) {
    text += "\npredicted, and shown by no execution:\n" + predicted;
  }
  const std::string rest = HiddenText(hidden, hidden_predictions);
  if (!rest.empty()) text += fmt::format("({}; --all shows them)\n", rest);
  return text;
}

Result<ExitCode> Run(const BugsOptions& options) {
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) return store.error();
  if (!options.clear.empty() || !options.ignore.empty() ||
      !options.reopen.empty()) {
    if (Status set = Set(**store, options.clear, FindingStatus::kCleared);
        !set) {
      return set.error();
    }
    if (Status set = Set(**store, options.ignore, FindingStatus::kIgnored);
        !set) {
      return set.error();
    }
    if (Status set = Set(**store, options.reopen, FindingStatus::kOpen); !set) {
      return set.error();
    }
    return ExitCode::kNothingFound;
  }
  Result<std::vector<StoredFinding>> findings = (*store)->Findings({});
  if (!findings) return findings.error();
  std::ranges::sort(*findings, {}, [](const StoredFinding& stored) {
    const bool prediction = store::IsPrediction(stored.id);
    const auto number = static_cast<uint64_t>(stored.id);
    return std::tuple(prediction, -static_cast<int>(stored.finding.severity),
                      prediction ? -number : number);
  });
  const bool any_open =
      std::ranges::any_of(*findings, [](const StoredFinding& stored) {
        return stored.status == FindingStatus::kOpen &&
               !store::IsPrediction(stored.id);
      });
  if (options.json) {
    Json json = Json::array();
    for (const StoredFinding& stored : *findings) {
      json.push_back(FindingJson(stored));
    }
    PrintJson(stdout, json);
  } else {
    Print(stdout, ListText(*findings, options.all));
  }
  return any_open ? ExitCode::kFindings : ExitCode::kNothingFound;
}

}  // namespace

void AddBugs(CLI::App& app, Invocation& invocation) {
  CLI::App* bugs = app.add_subcommand(
      "bugs", "List the findings that are kept, one for each cause");
  bugs->footer(
      "Examples:\n"
      "  fairlead bugs\n"
      "  fairlead bugs --clear 1     fixed: it is told again if it comes back\n"
      "  fairlead bugs --ignore 2    never tell it again\n"
      "\n"
      "Predictions come after what executions have shown, under a heading of\n"
      "their own, and are called P1, P2, …; refuted ones come with --all.\n"
      "\n"
      "Exit code: 1 if there are open findings that an execution has shown, 0\n"
      "if not.\n");
  auto options = std::make_shared<BugsOptions>();
  AddStoreOption(*bugs, options->store);
  bugs->add_option("--clear", options->clear, "This one is fixed");
  bugs->add_option("--ignore", options->ignore, "Never tell this one again");
  bugs->add_option("--reopen", options->reopen, "Tell this one again");
  bugs->add_flag("--all", options->all,
                 "Also those cleared, ignored or refuted");
  bugs->add_flag("--json", options->json, "All findings as JSON");
  bugs->callback([options, &invocation] {
    invocation.action = [options] {
      const Result<ExitCode> exit = Run(*options);
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli
