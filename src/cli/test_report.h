// cli/test_report.h
//
// A campaign of `fairlead test` as report/campaign.h has it.

#ifndef FAIRLEAD_CLI_TEST_REPORT_H_
#define FAIRLEAD_CLI_TEST_REPORT_H_

#include <string>
#include <vector>

#include "cli/test_options.h"
#include "explore/campaign/campaign.h"
#include "explore/judge/request_references.h"
#include "report/campaign.h"
#include "store/store.h"

namespace fairlead::cli {

// A finding of the campaign with what the store made of it.
struct ToldFinding {
  store::Recorded recorded = {};
  std::string suppressed_by;  // a line of the suppressions; "" = not
  bool stored = false;
  // Where it is instead if the store could not take it; "" = nowhere.
  std::string file = {};
};

// `told` is as result.findings, into which the report points.
report::Campaign ReportOf(const explore::CampaignResult& result,
                          const std::vector<ToldFinding>& told,
                          const TestOptions& options);

// How requests were judged, and that nothing is known where none could be.
void AddRequests(const explore::RequestReferences& requests,
                 report::Campaign& campaign);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TEST_REPORT_H_
