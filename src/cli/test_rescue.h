// cli/test_rescue.h
//
// Findings of a campaign that the store could not take (a full disk): each is
// written to a bug file in a directory that has room, so that nothing is lost.

#ifndef FAIRLEAD_CLI_TEST_RESCUE_H_
#define FAIRLEAD_CLI_TEST_RESCUE_H_

#include <vector>

#include "base/json.h"
#include "cli/test_report.h"
#include "explore/campaign/campaign.h"

namespace fairlead::cli {

// `told` is as result.findings; gets the files. `setting` is what the store
// keeps of a campaign.
void RescueFindings(const explore::CampaignResult& result, const Json& setting,
                    std::vector<ToldFinding>& told);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TEST_RESCUE_H_
