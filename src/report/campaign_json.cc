#include "finding/effect.h"
#include "report/campaign.h"
#include "report/finding_list.h"

namespace fairlead::report {
namespace {

Json SharesJson(const Campaign& campaign) {
  Json shares = Json::array();
  for (const Campaign::Share& share : campaign.shares) {
    shares.push_back({{"strategy", share.strategy},
                      {"executions", share.executions},
                      {"earned", share.earned}});
  }
  return shares;
}

Json CutsJson(const Campaign& campaign) {
  Json cuts = Json::array();
  for (const Campaign::Cut& cut : campaign.cuts) {
    cuts.push_back(
        {{"reason", cut.reason}, {"times", cut.times}, {"where", cut.where}});
  }
  return cuts;
}

Json ClaimsJson(const Campaign& campaign) {
  Json never = Json::array();
  for (const Campaign::Claim& claim : campaign.never_true) {
    never.push_back({{"message", claim.message}, {"where", claim.where}});
  }
  return {{"number", campaign.claims}, {"never_true", never}};
}

Json FoundJson(const CampaignFinding& found) {
  const finding::Finding& finding = *found.finding;
  return {{"id", found.id},
          {"kind", finding::WordOf(finding.kind)},
          {"effect", finding::WordOf(finding::EffectOf(finding.kind))},
          {"severity", finding::WordOf(finding.severity)},
          {"verdict", finding::WordOf(finding.verdict)},
          {"novelty", found.novelty},
          {"always", finding.always},
          {"first_execution", found.execution},
          {"times", found.times},
          {"repeated", found.repeated},
          {"followed", found.followed},
          {"tried", found.tried},
          {"strategy", found.strategy},
          {"seed", found.seed},
          {"message", finding.message},
          {"explanation", finding.witness.explanation},
          {"sites", SitesJson(finding)}};
}

std::string_view ResultWord(ExitCode exit) {
  if (exit == ExitCode::kNothingFound) return "ok";
  return exit == ExitCode::kFindings ? "failed" : "unknown";
}

}  // namespace

Json CampaignJson(const Campaign& campaign) {
  Json findings = Json::array();
  for (const CampaignFinding& found : campaign.findings) {
    findings.push_back(FoundJson(found));
  }
  const double rate =
      campaign.seconds > 0
          ? static_cast<double>(campaign.executions) / campaign.seconds
          : 0;
  Json json = {
      {"command", "test"},
      {"result", ResultWord(campaign.exit)},
      {"ending", campaign.ending},
      {"exit_code", static_cast<int>(campaign.exit)},
      {"argv", campaign.argv},
      {"strategy", campaign.strategy},
      {"seed", campaign.seed},
      {"runner", campaign.runner},
      {"instrumented", campaign.instrumented},
      {"executions", campaign.executions},
      {"failed", campaign.failed},
      {"cut", campaign.cut},
      {"cuts", CutsJson(campaign)},
      {"threads", campaign.threads},
      {"uncontrolled", campaign.company},
      {"ignored_annotations", campaign.ignored_annotations},
      {"requests", campaign.requests},
      {"in_process", campaign.in_process},
      {"unrepeated", campaign.unrepeated},
      {"lost_clients", campaign.lost_clients},
      {"seconds", campaign.seconds},
      {"schedules_per_second", rate},
      {"behaviours", campaign.behaviours},
      {"predicted", campaign.predicted},
      {"realised", campaign.realised},
      {"harmless", campaign.harmless},
      {"possible_races", campaign.possible},
      {"last_new_behaviour", campaign.last_new_behaviour},
      {"idle_sites", campaign.idle_sites},
      {"shares", SharesJson(campaign)},
      {"findings", findings},
      {"claims", ClaimsJson(campaign)},
  };
  if (campaign.exit == ExitCode::kUnknown) {
    json["reason"] = campaign.why_unknown;
  }
  if (campaign.driven) json["clients"] = campaign.clients;
  if (campaign.error) json["error"] = ErrorJson(*campaign.error);
  return json;
}

}  // namespace fairlead::report
