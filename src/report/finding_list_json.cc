#include <fmt/format.h>

#include "finding/effect.h"
#include "report/finding_list.h"

namespace fairlead::report {

Json SitesJson(const finding::Finding& finding) {
  Json sites = Json::array();
  for (const finding::Where& site : finding.sites) {
    sites.push_back({{"function", site.function},
                     {"file", site.place.file},
                     {"line", site.place.line}});
  }
  return sites;
}

Json FindingJson(const KeptFinding& kept) {
  const finding::Finding& finding = *kept.finding;
  Json json = {{"id", kept.id},
               {"name", kept.name},
               {"uuid", kept.uuid},
               {"program", kept.program},
               {"kind", finding::WordOf(finding.kind)},
               {"effect", finding::WordOf(finding::EffectOf(finding.kind))},
               {"severity", finding::WordOf(finding.severity)},
               {"verdict", finding::WordOf(finding.verdict)},
               {"status", kept.status},
               {"always", finding.always},
               {"message", finding.message},
               {"explanation", finding.witness.explanation},
               {"details", finding.details},
               {"sites", SitesJson(finding)},
               {"fingerprint", fmt::format("{:#x}", finding.fingerprint)},
               {"first_build", kept.first_build},
               {"last_build", kept.last_build},
               {"first_execution", kept.first_execution},
               {"times", kept.times},
               {"campaigns", kept.num_campaigns}};
  if (const std::optional<finding::Aim>& aim = finding.witness.aim) {
    json["target"] = finding::TargetJson(aim->target);
    json["attempts"] = aim->attempts;
    json["tried"] = aim->tried;
  }
  return json;
}

Json FindingsJson(const FindingList& list) {
  Json json = Json::array();
  for (const KeptFinding& kept : list.findings) {
    json.push_back(FindingJson(kept));
  }
  return json;
}

}  // namespace fairlead::report
