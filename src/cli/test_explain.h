// cli/test_explain.h
//
// What `fairlead test` does with the last of its time: makes the schedules of
// what it has found small, and keeps them beside the originals. What cannot be
// done in that time is left to `fairlead minimize`.

#ifndef FAIRLEAD_CLI_TEST_EXPLAIN_H_
#define FAIRLEAD_CLI_TEST_EXPLAIN_H_

#include <chrono>
#include <optional>
#include <vector>

#include "cli/test_report.h"
#include "explore/campaign/campaign.h"
#include "store/store.h"

namespace fairlead::cli {

// A tenth of the time of a campaign, and no more than five seconds.
std::chrono::nanoseconds MinimizingTime(
    std::optional<std::chrono::nanoseconds> time);

// Of the findings that count and are new, until `deadline` or ^C. What fails is
// not told: the finding is kept as it is.
void ExplainFindings(const explore::CampaignOptions& campaign,
                     const std::vector<explore::Found>& findings,
                     const std::vector<ToldFinding>& told, store::Store& store,
                     std::chrono::steady_clock::time_point deadline);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TEST_EXPLAIN_H_
