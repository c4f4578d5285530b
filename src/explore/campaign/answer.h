// explore/campaign/answer.h
//
// What it means that a campaign found nothing: "ok" is said only where
// something was tested. A program whose threads all ran elsewhere, or that
// never came to its end, was not.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_ANSWER_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_ANSWER_H_

#include <string>
#include <vector>

#include "explore/campaign/campaign.h"

namespace fairlead::explore {

struct Asked {
  bool strict = false;  // what runs beside makes it unknown
  bool driven = false;  // the program is a server with a client
};

// Why nothing is known although nothing was found; "" = it is known.
std::string WhyUnknown(const CampaignResult& result, const Asked& asked);

// Why it ended, in a sentence.
std::string WhyEnded(const CampaignResult& result);

// Threads and processes that ran beside those under control: "child processes
// (3)". Empty = all was under control.
std::vector<std::string> FreeCompany(const CampaignResult& result);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_ANSWER_H_
