// report/text_format.cc
//
// Reports for people.

#include "report/format.h"

namespace fairlead::report {
namespace {

std::string CampaignReport(const Campaign& campaign, const View& view) {
  return CampaignText(
      campaign,
      {.all = view.all, .quiet = view.quiet, .verbose = view.verbose});
}

std::string FindingsReport(const FindingList& list, const View& view) {
  return FindingsText(list, view.all ? Listed::kAll : Listed::kOpen);
}

std::string FindingReport(const KeptFinding& kept, const View& view) {
  return FindingText(
      kept, view.verbose ? Depth::kHowItWasFound : Depth::kWhatHappened,
      view.full ? Rows::kAll : Rows::kDeciding, view.width);
}

std::string CoverageReport(const Coverage& coverage, const View& view) {
  if (view.lines) return LinesText(coverage);
  return CoverageText(coverage,
                      view.verbose ? Patterns::kEach : Patterns::kGrouped);
}

}  // namespace

const Format kTextFormat = {.name = "text",
                            .help = "for people",
                            .campaign = CampaignReport,
                            .findings = FindingsReport,
                            .finding = FindingReport,
                            .coverage = CoverageReport};

}  // namespace fairlead::report
