#include "report/shown.h"

#include <fmt/format.h>

#include "base/text.h"

namespace fairlead::report {
namespace {

ShownFinding Of(const CampaignFinding& found) {
  ShownFinding shown = {
      .finding = found.finding,
      .name = found.id == 0 ? "" : fmt::format("{}", found.id),
      .novelty = found.novelty,
      .silenced = found.silenced};
  shown.facts.push_back(fmt::format("first in execution {}, {} in all",
                                    Grouped(found.execution),
                                    Counted(found.times, "time")));
  if (found.tried != 0) {
    shown.facts.push_back(
        fmt::format("repeated {} of {} times", found.repeated, found.tried));
  }
  for (const CampaignFinding::Command& command : found.commands) {
    shown.commands.push_back(command.line);
  }
  return shown;
}

ShownFinding Of(const KeptFinding& kept) {
  ShownFinding shown = {.finding = kept.finding,
                        .name = kept.name,
                        .cleared = kept.status == "cleared",
                        .facts = kept.facts,
                        .commands = kept.commands};
  if (kept.status == "ignored") shown.silenced = "ignored in the store";
  if (!kept.predicted()) {
    shown.facts.insert(shown.facts.begin(),
                       fmt::format("{}: seen {} in {}", kept.typed_name,
                                   Counted(kept.times, "time"),
                                   Counted(kept.num_campaigns, "campaign")));
  }
  if (shown.commands.empty() && !kept.predicted()) {
    shown.commands = {"fairlead show " + kept.name,
                      "fairlead replay " + kept.name};
  }
  return shown;
}

bool IsWanted(const KeptFinding& kept, Listed listed) {
  if (listed == Listed::kAll) return true;
  return kept.status != "cleared" &&
         kept.finding->verdict != finding::Verdict::kRefuted &&
         !(kept.predicted() &&
           kept.finding->severity == finding::Severity::kInfo);
}

}  // namespace

Shown ShownOf(const Campaign& campaign) {
  Shown shown = {.program = campaign.argv.empty() ? "" : campaign.argv.front(),
                 .argv = campaign.argv,
                 .seconds = campaign.seconds,
                 .executions = campaign.executions,
                 .why_unknown = campaign.why_unknown,
                 .exit = campaign.exit};
  if (campaign.error) shown.why_unknown = campaign.error->Text();
  for (const auto* list : {&campaign.findings, &campaign.silenced}) {
    for (const CampaignFinding& found : *list) {
      shown.findings.push_back(Of(found));
    }
  }
  return shown;
}

Shown ShownOf(const FindingList& list, Listed listed) {
  Shown shown = {.program = "findings that are kept"};
  for (const KeptFinding& kept : list.findings) {
    if (!IsWanted(kept, listed)) continue;
    shown.findings.push_back(Of(kept));
    if (kept.open && !kept.predicted()) shown.exit = ExitCode::kFindings;
  }
  return shown;
}

Shown ShownOf(const KeptFinding& kept) {
  return {.program = kept.typed_name,
          .argv = kept.argv,
          .findings = {Of(kept)},
          .exit = kept.open && !kept.predicted() ? ExitCode::kFindings
                                                 : ExitCode::kNothingFound};
}

std::string TitleText(const finding::Finding& finding) {
  return fmt::format("{}: {}", finding::TitleOf(finding.kind), finding.message);
}

const finding::Where* MainPlace(const finding::Finding& finding) {
  for (const finding::Where& site : finding.sites) {
    if (site.place.line != 0 && !site.place.file.empty()) return &site;
  }
  for (const finding::ThreadState& thread : finding.witness.threads) {
    for (const finding::Where& frame : thread.frames) {
      if (frame.place.line != 0 && !frame.place.file.empty()) return &frame;
    }
  }
  return nullptr;
}

std::string_view BelowRoot(std::string_view file, std::string_view root) {
  while (root.ends_with('/')) root.remove_suffix(1);
  const bool below = !root.empty() && file.size() > root.size() + 1 &&
                     file.starts_with(root) && file[root.size()] == '/';
  return below ? file.substr(root.size() + 1) : file;
}

}  // namespace fairlead::report
