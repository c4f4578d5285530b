// explore/campaign/race_list.h
//
// The data races of a campaign. Those of each traced execution that ended well
// are taken in; what none before looked like is repeated from its schedule, all
// of one execution together, and kept until the campaign is over: a race does
// not end the search.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_RACE_LIST_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_RACE_LIST_H_

#include <string>
#include <vector>

#include "explore/campaign/confirm.h"
#include "explore/campaign/found_list.h"
#include "explore/watch/race_watch.h"

namespace fairlead::explore {

class RaceList {
 public:
  // So many are kept, and so many sentences about possible ones.
  static constexpr size_t kMaxRaces = 64;

  RaceList(const CampaignOptions& options, FoundList& found)
      : options_(options), found_(found) {}

  // What `execution`, which ended well, has shown; `number` as in FoundList.
  // `hurry`: there is no time to repeat it. An error means that no execution
  // could be started.
  Status Add(std::vector<NamedRace> races, const Finished& finished,
             const UnderWay& execution, uint64_t number, bool hurry);

  // Those that nothing in `failures` shows, and that the user wants to hear of;
  // the worst first.
  std::vector<Found> Take(const std::vector<Found>& failures);

  // Sentences about races that are only possible.
  std::vector<std::string> Possible() const;

 private:
  struct Entry {
    NamedRace race;
    Found found;
    // How often it has turned out, repeated, to do less harm than it seemed to.
    uint64_t lowered = 0;
  };

  Status Repeat(std::vector<Entry*>& entries);
  Result<bool> RepeatOnce(const Repetition& repetition,
                          const FollowedInputs& inputs,
                          std::vector<Entry*>& entries);

  const CampaignOptions& options_;
  FoundList& found_;
  std::vector<Entry> list_;
  std::vector<NamedRace> possible_;
};

// Whether the race of `finding` is among `races`.
bool IsAmong(const finding::Finding& finding,
             const std::vector<NamedRace>& races);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_RACE_LIST_H_
