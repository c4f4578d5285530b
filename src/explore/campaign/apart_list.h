// explore/campaign/apart_list.h
//
// Data of a campaign that was changed or seen out of step, where nothing
// failed: an execution that was to mix two units of work did so and ended well.
// The same two are then run one after the other, in either order, each twice;
// where what they leave and see is what neither order gives, that is a finding,
// one for each set and fields, repeated from its schedule and kept until the
// campaign is over. Else it is harmless, and not told.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_APART_LIST_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_APART_LIST_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "explore/campaign/found_list.h"
#include "explore/watch/apart_watch.h"

namespace fairlead::explore {

class ApartList {
 public:
  // Executions for one order of two units, at most; two of them must do.
  static constexpr uint64_t kMostOfOrder = 4;
  // Of the mixed executions of one prediction, so many are looked at.
  static constexpr uint64_t kMostOfPrediction = 2;

  ApartList(const CampaignOptions& options, FoundList& found)
      : options_(options), found_(found) {}

  // What `execution`, which ended well, has shown; as RaceList::Add.
  Status Add(const ApartSeen& seen, const Finished& finished,
             const UnderWay& execution, uint64_t number, bool hurry);

  std::vector<Found> Take() { return std::move(list_); }

  // Of the finding about what a prediction's sentence speaks of.
  static uint64_t FingerprintOf(const std::string& sentence);

 private:
  using Effects = std::vector<analysis::asset::Effect>;

  // What the two units do in executions that are to have that order.
  Result<Effects> RunInOrder(const finding::Target& target,
                             const finding::Target& serial,
                             const analysis::asset::UnitPair& pair,
                             analysis::asset::UnitOrder order,
                             const UnderWay& execution);
  // Repeats it from its schedule.
  Status Repeat(Found& found);

  const CampaignOptions& options_;
  FoundList& found_;
  PlaceNames places_;
  std::map<uint64_t, uint64_t> num_looked_at_;  // by prediction
  std::vector<Found> list_;
};

// Whether the execution that left `seen` mixed units as `target` says.
bool IsApart(const ApartSeen& seen, const finding::Target& target);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_APART_LIST_H_
