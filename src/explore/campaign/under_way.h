// explore/campaign/under_way.h
//
// One execution of a campaign from its plan to its end: what it is told, and
// who watches it.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_UNDER_WAY_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_UNDER_WAY_H_

#include "explore/campaign/campaign.h"
#include "explore/plan/planner.h"
#include "explore/run/runner.h"
#include "explore/watch/watched.h"

namespace fairlead::explore {

struct UnderWay {
  explicit UnderWay(Planned plan, Planner* who = nullptr)
      : planned(std::move(plan)), planner(who) {}

  Planned planned;
  Planner* planner;  // null = a reference
  finding::QuietSites quiet = {};
  Watched watched = {};
};

// The same points, and all sites tell.
finding::QuietSites AllTold(const finding::QuietSites& quiet);

// What a runner needs to start `execution`; refers to what is in it, and adds
// its watchers. The sites of `quiet` are no points unless the plan wants all.
Task TaskOf(const CampaignOptions& options, const finding::QuietSites& quiet,
            UnderWay& execution);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_UNDER_WAY_H_
