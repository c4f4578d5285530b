#include <fmt/format.h>

#include "base/printable.h"
#include "base/text.h"
#include "finding/effect.h"
#include "report/campaign.h"
#include "report/text.h"

namespace fairlead::report {
namespace {

double Rate(const Campaign& campaign) {
  return campaign.seconds > 0
             ? static_cast<double>(campaign.executions) / campaign.seconds
             : 0;
}

// Which technique found it.
std::string FoundBy(const CampaignFinding& found) {
  const std::optional<finding::Aim>& aim = found.finding->witness.aim;
  return fmt::format("    found by {}, seed {}{}\n", found.strategy, found.seed,
                     aim ? ": forced: " + aim->sentence : "");
}

std::string FindingLines(const CampaignFinding& found,
                         const CampaignView& view) {
  const finding::Finding& finding = *found.finding;
  std::string text =
      fmt::format("[{}] {}, {}: {}: {}\n",
                  found.id == 0 ? "-" : fmt::format("{}", found.id),
                  finding::WordOf(finding.severity), found.novelty,
                  finding::TitleOf(finding.kind), finding.message);
  if (!finding.witness.explanation.empty()) {
    text += fmt::format("    why: {}\n",
                        PrintableLine(finding.witness.explanation));
  }
  text += fmt::format("    {}; first in execution {}, {} in all",
                      finding::WordOf(finding.verdict),
                      Grouped(found.execution), Counted(found.times, "time"));
  if (found.followed != 0) {
    text += fmt::format("; its server did the same {} of {} times",
                        found.followed, found.tried);
  } else if (found.tried != 0) {
    text +=
        fmt::format("; repeated {} of {} times", found.repeated, found.tried);
  }
  text += "\n";
  if (finding.always) {
    text +=
        fmt::format("    every schedule that was tried fails like this: {}\n",
                    MeaningOfAlways(finding.kind));
  }
  if (view.verbose) text += FoundBy(found);
  for (const CampaignFinding::Command& command : found.commands) {
    text += fmt::format("    {:<7} {}\n", fmt::format("{}:", command.verb),
                        command.line);
  }
  return text;
}

std::string BehaviourText(const Campaign& campaign, const CampaignView& view) {
  std::string text;
  if (campaign.predicted != 0) {
    text = fmt::format("{} predicted from the first execution, {} realised\n",
                       Counted(campaign.predicted, "interleaving"),
                       campaign.realised);
  }
  if (view.all) {
    for (const std::string& sentence : campaign.harmless) {
      text += fmt::format("  nothing observable: {}\n", sentence);
    }
    for (const std::string& sentence : campaign.possible) {
      text += fmt::format("  possible: {}\n", sentence);
    }
  }
  if (campaign.behaviours == 0) return text;
  const uint64_t last = campaign.last_new_behaviour;
  const bool grows = last * 2 > campaign.executions;
  return text +
         fmt::format(
             "{} behaviours, the last new one in execution {} of {}: {}\n",
             Grouped(campaign.behaviours), Grouped(last),
             Grouped(campaign.executions),
             grows ? "more time may show more"
                   : "new ones are rare now, and so may be a bug that is left");
}

std::string Headline(const Campaign& campaign) {
  std::string text = fmt::format(
      "{} in {:.1f} s ({:.0f}/s, {}): {} failed, {} cut short\n",
      campaign.executions == 1
          ? "1 execution"
          : fmt::format("{} executions", Grouped(campaign.executions)),
      campaign.seconds, Rate(campaign), campaign.runner,
      Grouped(campaign.failed), Grouped(campaign.cut));
  // People ask why there are so few.
  constexpr double kFew = 20;
  if (campaign.driven && Rate(campaign) < kFew) {
    text += "  each starts its client, and waits for it\n";
  }
  if (campaign.in_process != 0) {
    text += fmt::format(
        "  {} of them closures of fairlead::explore(), many in one process\n",
        Grouped(campaign.in_process));
  }
  return text;
}

// Failures that are no findings, and executions that came to no end.
std::string LostText(const Campaign& campaign) {
  std::string text;
  if (campaign.unrepeated != 0) {
    text += fmt::format(
        "  {} did not fail alone in a fresh process: the closure finds what "
        "earlier runs of it left behind\n",
        Counted(campaign.unrepeated, "failure"));
  }
  if (campaign.lost_clients != 0) {
    text += fmt::format(
        "  {} of the client is no finding: the server did not do the same "
        "again "
        "({})\n",
        Counted(campaign.lost_clients, "failure"), campaign.lost_client);
  }
  for (const Campaign::Cut& cut : campaign.cuts) {
    text +=
        fmt::format("  cut short: {} ({})\n", cut.reason, Grouped(cut.times));
    for (const std::string& line : cut.where) {
      text += fmt::format("    {}\n", line);
    }
  }
  return text;
}

std::string Remarks(const Campaign& campaign) {
  std::string text;
  if (!campaign.remark.empty()) text += campaign.remark + "\n";
  for (const std::string& line : campaign.requests) text += line + "\n";
  for (const std::string& line : campaign.uncontrolled) {
    text += fmt::format("not controlled: {}\n", line);
  }
  for (const std::string& name : campaign.ignored_annotations) {
    text += fmt::format("without effect: nothing is judged by {} yet\n", name);
  }
  for (const Campaign::Claim& claim : campaign.never_true) {
    text += fmt::format("never true: {}{}\n", claim.message,
                        claim.where.empty() ? "" : " at " + claim.where);
  }
  return text;
}

// The last line.
std::string Answer(const Campaign& campaign) {
  std::vector<finding::Kind> kinds;
  for (const CampaignFinding& found : campaign.findings) {
    kinds.push_back(found.finding->kind);
  }
  if (!kinds.empty()) {
    return fmt::format("\n{}: {} ({})\n",
                       campaign.exit == ExitCode::kFindings ? "failed" : "ok",
                       finding::EffectsText(kinds), campaign.why_ended);
  }
  if (!campaign.why_unknown.empty()) {
    return fmt::format("\nunknown: {} ({})\n", campaign.why_unknown,
                       campaign.why_ended);
  }
  std::string text =
      fmt::format("\nok: nothing found ({})", campaign.why_ended);
  for (const std::string& company : campaign.company) {
    text += fmt::format("; not controlled: {}", company);
  }
  return text + "\n";
}

}  // namespace

std::string CampaignText(const Campaign& campaign, const CampaignView& view) {
  std::string text = view.quiet ? "" : Headline(campaign);
  text += LostText(campaign);
  if (!view.quiet) text += BehaviourText(campaign, view);
  if (view.verbose) {
    for (const std::string& line : campaign.figures) text += line + "\n";
  }
  text += Remarks(campaign);
  for (const CampaignFinding& found : campaign.findings) {
    text += "\n" + FindingLines(found, view);
  }
  if (campaign.silent != 0) {
    text += fmt::format("\n{} ignored or suppressed\n",
                        Counted(campaign.silent, "finding"));
  }
  text += Answer(campaign);
  // What is quiet begins with its first word.
  if (view.quiet) text.erase(0, text.find_first_not_of('\n'));
  return text;
}

}  // namespace fairlead::report
