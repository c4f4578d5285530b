// explore/campaign/serial_runs.h
//
// Runs a campaign's program with its threads one after the other, for its
// serial references: in fresh processes of their own, so that what a campaign
// judges meanwhile stays as it is.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_SERIAL_RUNS_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_SERIAL_RUNS_H_

#include <memory>
#include <optional>

#include "explore/campaign/campaign.h"
#include "explore/judge/oracles.h"
#include "explore/judge/serial_references.h"
#include "explore/plan/planner.h"

namespace fairlead::explore {

// An execution in that order of threads.
Planned PlannedOf(SerialOrder order, uint64_t campaign_seed);

class SerialRuns {
 public:
  // Both must outlive it. `oracles` say whether an execution can be a
  // reference.
  SerialRuns(const CampaignOptions& options, Oracles& oracles)
      : options_(options), oracles_(oracles) {}

  // As SerialReferences::Run. An error, too, when nobody waits any more
  // (base/patience.h).
  Result<std::optional<SerialReference>> Run(SerialOrder order);

 private:
  Status MakeRunner();

  const CampaignOptions& options_;
  Oracles& oracles_;
  std::unique_ptr<Runner> runner_;  // made when needed
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_SERIAL_RUNS_H_
