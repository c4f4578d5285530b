// explore/campaign/lessons.h
//
// What a campaign learns from its executions, apart from failures: which sites
// are no points, what the first one predicts, which races were seen. Results of
// watchers are handed to whoever asked for them.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_LESSONS_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_LESSONS_H_

#include <vector>

#include "explore/aim/preconditions.h"
#include "explore/campaign/apart_list.h"
#include "explore/campaign/campaign.h"
#include "explore/campaign/race_list.h"
#include "explore/campaign/under_way.h"
#include "explore/plan/idle_sites.h"
#include "explore/plan/target_planner.h"

namespace fairlead::explore {

class Lessons {
 public:
  Lessons(const CampaignOptions& options, RaceList& races, ApartList& apart)
      : options_(options), races_(races), apart_(apart) {}

  // `finished` was `execution` and ended like `end`; `progress` counts it. Its
  // planner learns from it. An error means that a race could not be repeated;
  // `hurry` as in RaceList::Add.
  Status Take(const Finished& finished, UnderWay& execution, Observed::End end,
              const Progress& progress, bool hurry);

  const IdleSites& idle_sites() const { return idle_sites_; }

  // What the first execution predicts, and what happened in it.
  std::vector<Foretold> targets;
  SeenPointer reference;

 private:
  void TeachPlanner(const Finished& finished, UnderWay& execution,
                    Observed::End end, const Progress& progress);

  const CampaignOptions& options_;
  RaceList& races_;
  ApartList& apart_;
  IdleSites idle_sites_;
  PlaceNames places_;
  std::chrono::nanoseconds learnt_at_ = {};  // since the campaign began
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_LESSONS_H_
