// report/markdown_format.cc
//
// A comment for a pull request: a table of what was found, and the interleaving
// of each to unfold.

#include <fmt/format.h>

#include "base/text.h"
#include "report/format.h"
#include "report/markup.h"
#include "report/shown.h"
#include "report/text.h"

namespace fairlead::report {
namespace {

// What a comment may have, with room for what others add: GitHub takes 65,536
// characters. What does not fit is counted.
constexpr size_t kMostBytes = 60'000;
constexpr size_t kWidth = 110;

std::string PlaceText(const ShownFinding& shown, const View& view) {
  const finding::Where* where = MainPlace(*shown.finding);
  if (where == nullptr) return "";
  return MarkdownText(fmt::format(
      "{}:{}", BelowRoot(where->place.file, view.root), where->place.line));
}

std::string Row(const ShownFinding& shown, const View& view) {
  const finding::Finding& finding = *shown.finding;
  return fmt::format(
      "| {} | {} | {} | {} | {} |\n",
      MarkdownText(shown.name.empty() ? "-" : shown.name),
      finding::WordOf(finding.severity), MarkdownText(TitleText(finding)),
      PlaceText(shown, view),
      MarkdownText(!shown.silenced.empty() ? shown.silenced
                   : shown.novelty.empty() ? finding::WordOf(finding.verdict)
                                           : shown.novelty));
}

std::string Details(const ShownFinding& shown) {
  const finding::Finding& finding = *shown.finding;
  std::string text = fmt::format("\n<details><summary>{}</summary>\n\n",
                                 MarkdownText(TitleText(finding)));
  if (!finding.witness.explanation.empty()) {
    text += "**Why:** " + MarkdownText(finding.witness.explanation) + "\n\n";
  }
  const std::string table =
      TextInterleaving(InterleavingOf(finding, Rows::kDeciding), kWidth);
  if (!table.empty()) text += MarkdownBlock(table) + "\n";
  for (const std::string& fact : shown.facts) {
    text += "- " + MarkdownText(fact) + "\n";
  }
  std::string commands;
  for (const std::string& command : shown.commands) commands += command + "\n";
  if (!commands.empty()) text += "\n" + MarkdownBlock(commands);
  return text + "\n</details>\n";
}

std::string Heading(const Shown& shown) {
  size_t counting = 0;
  for (const ShownFinding& each : shown.findings) {
    counting += each.silenced.empty() && !each.cleared ? 1 : 0;
  }
  const std::string program = MarkdownText(shown.program);
  if (counting != 0) {
    return fmt::format("### Fairlead: {} in {}\n\n",
                       Counted(counting, "finding"), program);
  }
  if (!shown.why_unknown.empty()) {
    return fmt::format("### Fairlead: unknown: {}\n\n{}\n\n", program,
                       MarkdownText(shown.why_unknown));
  }
  return fmt::format("### Fairlead: nothing found in {}\n\n", program);
}

std::string Comment(const Shown& shown, const View& view) {
  std::string text = Heading(shown);
  if (shown.executions != 0) {
    text += fmt::format("{} in {:.1f} s\n\n",
                        Counted(shown.executions, "execution"), shown.seconds);
  }
  if (shown.findings.empty()) return text;
  text += "| | Severity | What | Where | |\n|---|---|---|---|---|\n";
  size_t left_out = 0;
  for (const ShownFinding& each : shown.findings) {
    const std::string row = Row(each, view);
    if (text.size() + row.size() > kMostBytes) {
      ++left_out;
    } else {
      text += row;
    }
  }
  for (const ShownFinding& each : shown.findings) {
    const std::string details = Details(each);
    if (text.size() + details.size() > kMostBytes) {
      ++left_out;
    } else {
      text += details;
    }
  }
  if (left_out != 0) {
    text += fmt::format("\n{} left out; `fairlead bugs` has all.\n",
                        Counted(left_out, "part"));
  }
  return text;
}

std::string CampaignReport(const Campaign& campaign, const View& view) {
  return Comment(ShownOf(campaign), view);
}

std::string FindingsReport(const FindingList& list, const View& view) {
  return Comment(ShownOf(list, view.all ? Listed::kAll : Listed::kOpen), view);
}

std::string OneFinding(const KeptFinding& kept, const View& view) {
  return Comment(ShownOf(kept), view);
}

}  // namespace

const Format kMarkdownFormat = {.name = "markdown",
                                .help = "a comment for a pull request",
                                .campaign = CampaignReport,
                                .findings = FindingsReport,
                                .finding = OneFinding,
                                .wants_witness = true};

}  // namespace fairlead::report
