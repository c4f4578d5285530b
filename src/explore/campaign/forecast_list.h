// explore/campaign/forecast_list.h
//
// What a campaign predicts, from the prediction to what came of it: shown by a
// finding, refuted, or still only predicted. None is dropped.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_FORECAST_LIST_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_FORECAST_LIST_H_

#include <map>
#include <vector>

#include "explore/campaign/campaign.h"
#include "explore/plan/target_planner.h"

namespace fairlead::explore {

class ForecastList {
 public:
  // What is predicted; only the first call counts.
  const std::vector<Forecast>& Begin(const std::vector<Foretold>& targets);

  // The attempt to force the prediction of this fingerprint has shown the
  // finding of that index.
  void ShownBy(uint64_t prediction, size_t index) {
    shown_.emplace(prediction, index);
  }

  // The planner has forced what it could of what is predicted.
  void Take(const TargetPlanner& planner);

  // The campaign is over, and has found `findings`. A race that was predicted
  // is also shown by one that was seen between the same places.
  std::vector<Forecast> End(const std::vector<Found>& findings);

 private:
  std::vector<Forecast> list_;
  std::map<uint64_t, size_t> shown_;  // by fingerprint of the prediction
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_FORECAST_LIST_H_
