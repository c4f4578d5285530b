#include "cli/test_report.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "base/text.h"
#include "cli/findings.h"
#include "explore/campaign/answer.h"
#include "explore/judge/uncontrolled.h"
#include "finding/outcome.h"

namespace fairlead::cli {
namespace {

using explore::Found;

report::CampaignFinding FindingOf(const Found& found, const ToldFinding& told,
                                  const std::string& store) {
  report::CampaignFinding finding = {
      .finding = &found.finding,
      .id = static_cast<uint64_t>(told.recorded.id),
      .novelty = std::string(store::WordOf(told.recorded.novelty)),
      .execution = found.execution,
      .strategy = found.strategy,
      .seed = found.seed,
      .times = found.times,
      .repeated = found.repeated,
      .tried = found.tried,
      .followed = found.followed};
  if (!told.stored) {
    finding.novelty = "not kept in the store";
    if (told.file.empty()) return finding;
    finding.commands.push_back(
        {"replay", fmt::format("fairlead replay {}", ShellQuote(told.file))});
    return finding;
  }
  for (const char* verb : {"show", "replay", "clear"}) {
    const bool judged = std::string_view(verb) == "replay" &&
                        found.finding.kind == finding::Kind::kJudge;
    finding.commands.push_back(
        {verb, FindingCommand(verb, told.recorded.id, store) +
                   (judged ? " --allow-stored-commands" : "")});
  }
  return finding;
}

// Findings that count: the most severe first, and of those by what came of
// them.
std::vector<size_t> Ranked(const std::vector<Found>& findings) {
  std::vector<size_t> order;
  for (size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].counts) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](size_t i) {
    const finding::Finding& finding = findings[i].finding;
    return std::tuple(-static_cast<int>(finding.severity),
                      finding::OutcomeOf(finding.kind), i);
  });
  return order;
}

ExitCode ExitCodeOf(const explore::CampaignResult& result,
                    const std::string& why_unknown,
                    const TestOptions& options) {
  const finding::Severity least =
      finding::FindSeverity(options.fail_on).value_or(finding::Severity::kLow);
  if (std::ranges::any_of(result.findings, [&](const Found& found) {
        return found.counts && found.finding.severity >= least;
      })) {
    return ExitCode::kFindings;
  }
  return why_unknown.empty() ? ExitCode::kNothingFound : ExitCode::kUnknown;
}

void AddWhatWasRun(const explore::CampaignResult& result,
                   report::Campaign& campaign) {
  const explore::Progress& progress = result.progress;
  campaign.runner = result.runner;
  campaign.executions = progress.executions;
  campaign.failed = progress.failed;
  campaign.cut = progress.cut;
  campaign.seconds = std::chrono::duration<double>(progress.elapsed).count();
  campaign.threads = result.most_threads;
  campaign.in_process = result.num_in_process;
  campaign.unrepeated = result.num_unrepeated;
  campaign.lost_clients = result.num_lost_clients;
  campaign.lost_client = result.lost_client;
  campaign.clients = result.num_clients;
  for (const auto& [reason, cut] : result.cuts) {
    campaign.cuts.push_back({reason, cut.times, cut.where});
  }
  for (const explore::Planner::Share& share : result.shares) {
    campaign.shares.push_back(
        {std::string(share.strategy), share.executions, share.earned});
  }
}

void AddWhatWasSeen(const explore::CampaignResult& result,
                    report::Campaign& campaign) {
  campaign.behaviours = result.progress.behaviours;
  campaign.last_new_behaviour = result.last_new_behaviour;
  campaign.predicted = result.num_predicted;
  campaign.realised = result.num_realised;
  campaign.harmless = result.harmless;
  campaign.possible = result.possible;
  campaign.idle_sites = result.num_idle_sites;
  for (const explore::Claim& claim : result.never) {
    campaign.never_true.push_back({claim.message, claim.where});
  }
  campaign.claims = result.num_claims;
  campaign.company = explore::FreeCompany(result);
  campaign.uncontrolled =
      explore::UncontrolledLines(result.last_outcome, nullptr);
  campaign.ignored_annotations =
      explore::UnheededAnnotations(result.last_outcome);
  campaign.remark = result.remark;
}

}  // namespace

report::Campaign ReportOf(const explore::CampaignResult& result,
                          const std::vector<ToldFinding>& told,
                          const TestOptions& options) {
  const explore::Asked asked = {.strict = options.strict,
                                .driven = !options.drive.empty()};
  report::Campaign campaign = {.strategy = options.strategy,
                               .seed = options.seed,
                               .driven = asked.driven};
  AddWhatWasRun(result, campaign);
  AddWhatWasSeen(result, campaign);
  for (const size_t i : Ranked(result.findings)) {
    campaign.findings.push_back(
        FindingOf(result.findings[i], told[i], options.store));
  }
  campaign.silent = result.findings.size() - campaign.findings.size();
  for (size_t i = 0; i < result.findings.size(); ++i) {
    if (result.findings[i].counts) continue;
    campaign.silenced.push_back(
        FindingOf(result.findings[i], told[i], options.store));
    const std::string& rule = told[i].suppressed_by;
    campaign.silenced.back().silenced =
        rule.empty() ? "ignored in the store" : "suppressed by: " + rule;
  }
  campaign.ending = explore::WordOf(result.ending);
  campaign.why_ended = explore::WhyEnded(result);
  campaign.why_unknown = explore::WhyUnknown(result, asked);
  campaign.exit = ExitCodeOf(result, campaign.why_unknown, options);
  campaign.error = result.error;
  return campaign;
}

void AddRequests(const explore::RequestReferences& requests,
                 report::Campaign& campaign) {
  campaign.requests = requests.Lines();
  if (campaign.exit != ExitCode::kNothingFound) return;
  campaign.why_unknown = requests.WhyUnknown();
  if (!campaign.why_unknown.empty()) campaign.exit = ExitCode::kUnknown;
}

}  // namespace fairlead::cli
