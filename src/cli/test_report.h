// cli/test_report.h
//
// What `fairlead test` says at its end, as text and as JSON.

#ifndef FAIRLEAD_CLI_TEST_REPORT_H_
#define FAIRLEAD_CLI_TEST_REPORT_H_

#include <string>
#include <vector>

#include "base/exit_code.h"
#include "base/json.h"
#include "cli/test_options.h"
#include "explore/campaign/campaign.h"
#include "store/store.h"

namespace fairlead::cli {

// A finding of the campaign with what the store made of it.
struct ToldFinding {
  store::Recorded recorded = {};
  std::string suppressed_by;  // a line of the suppressions; "" = not
  bool stored = false;
};

struct TestReport {
  const TestOptions& options;
  const std::vector<std::string>& argv;
  const explore::CampaignResult& result;
  const std::vector<ToldFinding>& told;  // as result.findings
  std::vector<std::string> figures;      // how the search went, for --verbose
  bool instrumented = false;
};

ExitCode ExitCodeOf(const TestReport& report);
std::string TestText(const TestReport& report);
Json TestJson(const TestReport& report);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TEST_REPORT_H_
