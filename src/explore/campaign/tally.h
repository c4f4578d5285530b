// explore/campaign/tally.h
//
// How the executions of a campaign ended, added up in its result, and what
// follows from that: whether there is anything to explore, and whether one that
// was cut short says anything.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_TALLY_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_TALLY_H_

#include "explore/campaign/campaign.h"
#include "explore/campaign/under_way.h"
#include "explore/judge/oracle.h"

namespace fairlead::explore {

// Executions, steps, threads, clients, and what was not controlled.
void CountExecution(const UnderWay& execution, const Finished& finished,
                    CampaignResult& result);

// It was cut short for this reason; the first one also says where it was.
void CountCut(const std::string& reason, const Finished& finished,
              CampaignResult& result);

// Whether `finished` had far more time than others of the campaign take, and
// did not end: it may never do.
bool HadFarMoreTime(const Finished& finished, const Progress& progress);

// Whether `finished` was under way when the time of the campaign was over, and
// says nothing: it would have had more, and did not have far more than others
// took. The first one says at least where it was.
bool IsCutByTheEnd(const Judgement& judgement, const Finished& finished,
                   const CampaignOptions& options, const Progress& progress);

// Whether no execution so far had a choice, of so many that others will not
// have one either: signals and timers give choices to one thread, too.
bool NothingToExplore(const CampaignResult& result);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_TALLY_H_
