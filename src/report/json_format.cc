// report/json_format.cc
//
// Reports as JSON; docs/reference/fairlead.schema.json says what is in them.

#include "base/printable.h"
#include "report/format.h"

namespace fairlead::report {
namespace {

std::string TextOf(const Json& json) { return PrintableJson(JsonText(json)); }

std::string CampaignReport(const Campaign& campaign, const View&) {
  return TextOf(CampaignJson(campaign));
}

std::string FindingsReport(const FindingList& list, const View&) {
  return TextOf(FindingsJson(list));
}

std::string FindingReport(const KeptFinding& kept, const View&) {
  return TextOf(FindingJson(kept));
}

std::string CoverageReport(const Coverage& coverage, const View& view) {
  return TextOf(view.lines ? LinesJson(coverage) : CoverageJson(coverage));
}

}  // namespace

const Format kJsonFormat = {.name = "json",
                            .help = "for machines",
                            .campaign = CampaignReport,
                            .findings = FindingsReport,
                            .finding = FindingReport,
                            .coverage = CoverageReport,
                            .wants_witness = true};

}  // namespace fairlead::report
