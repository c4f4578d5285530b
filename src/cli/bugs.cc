// cli/bugs.cc
//
// `fairlead bugs`: the findings that are kept, one line each, and what becomes
// of them.

#include <stdio.h>

#include <algorithm>
#include <memory>

#include "base/log.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/formats.h"
#include "cli/print.h"
#include "cli/report_files.h"

namespace fairlead::cli {
namespace {

using store::FindingStatus;
using store::StoredFinding;

struct BugsOptions {
  std::string store;
  std::vector<std::string> clear, ignore, reopen;
  bool all = false;
  std::string format;
  ReportFiles::Paths files;
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

// Fills in `list`, and `shown` with what it points to where witnesses are
// wanted: the list of the store has none.
Status List(store::Store& store, const std::vector<StoredFinding>& findings,
            bool witnesses, std::vector<finding::Finding>& shown,
            report::FindingList& list) {
  shown.reserve(findings.size());
  for (const StoredFinding& stored : findings) {
    report::KeptFinding kept = KeptOf(stored);
    if (witnesses) {
      const Result<StoredFinding> loaded = store.Load(stored.id);
      if (!loaded) return loaded.error();
      shown.push_back(SmallestOf(*loaded, kept.facts));
      shown.back().witness.aim.reset();  // how it was forced is what show has
      kept.finding = &shown.back();
    }
    list.findings.push_back(std::move(kept));
  }
  report::Rank(list);
  return {};
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
  Result<ReportFiles> files = ReportFiles::Create(options.files);
  if (!files) return files.error();
  Result<std::vector<StoredFinding>> findings = (*store)->Findings({});
  if (!findings) return findings.error();
  const report::Format& format = FormatOf(options.format);
  std::vector<finding::Finding> shown;  // pointed into by `list`
  report::FindingList list;
  const bool witnesses = format.wants_witness || !files->empty();
  if (Status listed = List(**store, *findings, witnesses, shown, list);
      !listed) {
    return listed.error();
  }
  report::View view = PlainView();
  view.all = options.all;
  Print(stdout, format.findings(list, view));
  if (Status put = files->Write(list, &report::Format::findings, view); !put) {
    return put.error();
  }
  const bool any_open =
      std::ranges::any_of(list.findings, [](const report::KeptFinding& kept) {
        return kept.open && !kept.predicted();
      });
  return any_open ? ExitCode::kFindings : ExitCode::kNothingFound;
}

}  // namespace

void AddBugs(CLI::App& app, Invocation& invocation) {
  CLI::App* bugs = app.add_subcommand(
      "bugs", "List the findings that are kept, one for each cause");
  bugs->footer(
      "Examples:\n"
      "  fairlead bugs\n"
      "  fairlead bugs --clear 1     fixed: it is reported again if it comes "
      "back\n"
      "  fairlead bugs --ignore 2    never report it again\n"
      "  fairlead bugs --sarif fairlead.sarif --junit fairlead.xml\n"
      "                              for code scanning, and a CI server\n"
      "\n"
      "Predictions come after what executions have shown, under a heading of\n"
      "their own, and are called P1, P2, …; refuted ones come with --all.\n"
      "\n"
      "Exit code: 1 if there are open findings that an execution has shown, 0\n"
      "if not.\n");
  auto options = std::make_shared<BugsOptions>();
  AddStoreOption(*bugs, options->store);
  bugs->add_option("--clear", options->clear, "This one is fixed");
  bugs->add_option("--ignore", options->ignore, "Never report this one again");
  bugs->add_option("--reopen", options->reopen, "Report this one again");
  bugs->add_flag("--all", options->all,
                 "Also those cleared, ignored or refuted");
  AddFormatOptions(*bugs, options->format, &report::Format::findings);
  ReportFiles::AddOptions(*bugs, options->files);
  bugs->callback([options, &invocation] {
    invocation.action = [options] {
      const Result<ExitCode> exit = Run(*options);
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli
