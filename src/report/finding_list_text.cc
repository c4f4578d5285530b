#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "report/finding_list.h"

namespace fairlead::report {
namespace {

std::string Line(const KeptFinding& kept) {
  const finding::Finding& finding = *kept.finding;
  std::string text = fmt::format(
      "{:>4}  {:<8} {:<7} {:<10} {}: {}\n", kept.name, kept.status,
      finding::WordOf(finding.severity), finding::WordOf(finding.verdict),
      finding::TitleOf(finding.kind), finding.message);
  if (kept.predicted()) {
    return text + fmt::format("      {}, predicted in {}\n", kept.typed_name,
                              Counted(kept.num_campaigns, "campaign"));
  }
  text += fmt::format("      {}, seen {} in {}{}\n", kept.typed_name,
                      Counted(kept.times, "time"),
                      Counted(kept.num_campaigns, "campaign"),
                      finding.always ? ", fails always" : "");
  return text;
}

// What came of predictions that were forced in vain, and those that many
// programs mean as they are, are for those who ask.
bool IsListed(const KeptFinding& kept) {
  return kept.open && kept.finding->verdict != finding::Verdict::kRefuted &&
         (!kept.predicted() ||
          kept.finding->severity != finding::Severity::kInfo);
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

}  // namespace

void Rank(FindingList& list) {
  std::ranges::sort(list.findings, {}, [](const KeptFinding& kept) {
    return std::tuple(kept.predicted(),
                      -static_cast<int>(kept.finding->severity),
                      kept.predicted() ? -kept.id : kept.id);
  });
}

std::string FindingsText(const FindingList& list, Listed listed) {
  std::string shown;
  std::string predicted;
  size_t hidden = 0;
  size_t hidden_predictions = 0;
  for (const KeptFinding& kept : list.findings) {
    if (listed == Listed::kAll || IsListed(kept)) {
      (kept.predicted() ? predicted : shown) += Line(kept);
    } else {
      ++(kept.predicted() ? hidden_predictions : hidden);
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

}  // namespace fairlead::report
