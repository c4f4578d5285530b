// explore/campaign/found_list.h
//
// What a campaign has found. A failure that none before looked like is
// described, kept with its schedule, and repeated in fresh processes; others
// are counted.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_FOUND_LIST_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_FOUND_LIST_H_

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "explore/campaign/campaign.h"
#include "explore/campaign/under_way.h"
#include "explore/judge/oracles.h"

namespace fairlead::explore {

class FoundList {
 public:
  // All must outlive the list. `oracles` judge repetitions.
  FoundList(const CampaignOptions& options, Oracles& oracles);

  struct Added {
    size_t index = 0;     // of the finding
    bool is_new = false;  // else counted once more
    // It failed among other iterations in one process (fairlead::explore()),
    // but not alone; or a client failed, and the server did not once do the
    // same again: no finding. `index` means nothing.
    bool unrepeated = false;
    // Why it could not be repeated; the finding is there all the same.
    std::optional<Error> error = {};
  };
  // A client's failure is repeated so often before it is given up.
  static constexpr uint64_t kMaxLostClients = 3;

  // `number` is that of the execution, from 1.
  Added Add(const Failure& failure, const Finished& finished,
            const UnderWay& execution, uint64_t number);

  Found& operator[](size_t index) { return list_[index]; }
  const std::vector<Found>& all() const { return list_; }

  // `finding` with all that repeats the execution that showed it.
  Found Witnessed(finding::Finding finding, const Finished& finished,
                  const UnderWay& execution);

  // Where repetitions run.
  Result<Runner*> FreshRunner();

  std::vector<Found> Take() { return std::move(list_); }

 private:
  // An execution of its own.
  struct Alone {
    UnderWay execution;
    Finished finished = {};
    Failure failure = {};
  };
  // Runs the iteration at which the batch `execution` failed in a fresh
  // process. Nothing = it does not fail there.
  Result<std::optional<Alone>> RunAlone(const Finished& finished,
                                        const UnderWay& execution);
  Added AddNew(const Failure& failure, const Finished& finished,
               const UnderWay& execution, uint64_t number);
  Found Describe(const Failure& failure, const Finished& finished,
                 const UnderWay& execution);
  Status Repeat(const Failure& failure, Found& found);

  const CampaignOptions& options_;
  Oracles& oracles_;
  trace::Identity identity_;
  std::unique_ptr<Runner> fresh_;      // for repetitions; made when needed
  std::map<uint64_t, size_t> by_key_;  // into list_
  // Clients may fail because the machine is busy. So often they have, by key,
  // without the server repeating itself.
  std::map<uint64_t, uint64_t> lost_clients_;
  std::vector<Found> list_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_FOUND_LIST_H_
