// report/github_format.cc
//
// Annotations: lines that GitHub's runners (and others) take for remarks on
// lines of the source, printed where a person reads the same.

#include <fmt/format.h>

#include "report/format.h"
#include "report/markup.h"
#include "report/shown.h"

namespace fairlead::report {
namespace {

std::string_view LevelOf(const ShownFinding& shown) {
  if (shown.predicted()) return "notice";
  switch (shown.finding->severity) {
    case finding::Severity::kHigh:
      return "error";
    case finding::Severity::kMedium:
      return "warning";
    case finding::Severity::kLow:
    case finding::Severity::kInfo:
      return "notice";
  }
  return "notice";
}

std::string Annotation(const ShownFinding& shown, const View& view) {
  const finding::Finding& finding = *shown.finding;
  std::string line = fmt::format("::{} ", LevelOf(shown));
  if (const finding::Where* where = MainPlace(finding)) {
    line +=
        fmt::format("file={},line={},",
                    WorkflowProperty(BelowRoot(where->place.file, view.root)),
                    where->place.line);
    if (where->place.column != 0) {
      line += fmt::format("col={},", where->place.column);
    }
  }
  std::string message = finding.message;
  if (!finding.witness.explanation.empty()) {
    message += "\nwhy: " + finding.witness.explanation;
  }
  for (const std::string& command : shown.commands) message += "\n" + command;
  return line + fmt::format("title={}::{}\n",
                            WorkflowProperty(finding::TitleOf(finding.kind)),
                            WorkflowMessage(message));
}

std::string Annotations(const Shown& shown, const View& view) {
  std::string text;
  for (const ShownFinding& each : shown.findings) {
    if (each.silenced.empty() && !each.cleared) text += Annotation(each, view);
  }
  if (!shown.why_unknown.empty()) {
    text += fmt::format("::warning title=unknown::{}\n",
                        WorkflowMessage(shown.why_unknown));
  }
  return text.empty() ? "nothing found\n" : text;
}

std::string CampaignReport(const Campaign& campaign, const View& view) {
  return Annotations(ShownOf(campaign), view);
}

std::string FindingsReport(const FindingList& list, const View& view) {
  return Annotations(ShownOf(list, view.all ? Listed::kAll : Listed::kOpen),
                     view);
}

std::string OneFinding(const KeptFinding& kept, const View& view) {
  return Annotations(ShownOf(kept), view);
}

}  // namespace

const Format kGitHubFormat = {.name = "github",
                              .help = "annotations of GitHub's runners",
                              .campaign = CampaignReport,
                              .findings = FindingsReport,
                              .finding = OneFinding,
                              .wants_witness = true};

}  // namespace fairlead::report
