#include "explore/campaign/campaign.h"

#include "explore/campaign/course.h"

namespace fairlead::explore {

CampaignResult RunCampaign(const CampaignOptions& options, Runner& runner,
                           Planner& planner, CampaignObserver& observer,
                           const InterruptWatch& interrupts) {
  return Course(options, &runner, ForkChoice::kNever, planner, observer,
                interrupts)
      .Run();
}

CampaignResult RunCampaign(const CampaignOptions& options, ForkChoice fork,
                           Planner& planner, CampaignObserver& observer,
                           const InterruptWatch& interrupts) {
  return Course(options, nullptr, fork, planner, observer, interrupts).Run();
}

}  // namespace fairlead::explore
