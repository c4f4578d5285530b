// explore/idle_sites.h
//
// Which sites are no points in the executions of a campaign: what its first
// profile says, less what any profile has seen otherwise. So the set of points
// only grows. And which executions are to be profiled: in the first, one worker
// may have done what all of a pool share.

#ifndef FAIRLEAD_EXPLORE_IDLE_SITES_H_
#define FAIRLEAD_EXPLORE_IDLE_SITES_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <vector>

#include "explore/planner.h"
#include "explore/profile.h"
#include "finding/finding.h"

namespace fairlead::explore {

class IdleSites {
 public:
  // Profiles become rare after so many in a row that show nothing new, and after
  // so many executions.
  static constexpr uint64_t kSettled = 3;
  static constexpr uint64_t kManyExecutions = 64;

  void Learn(const SiteUse& use) {
    const size_t before = shared_.idle.size();
    const bool first = !profiled_;
    Narrow(shared_.idle, profiled_, use.idle, use.needed);
    Narrow(shared_.ordered, profiled_, use.ordered,
           Less(use.needed, use.ordered));
    profiled_ = true;
    if (use.calm.has_value()) {
      Narrow(calm_, raced_, *use.calm, Less(use.needed, *use.calm));
      raced_ = true;
    }
    const bool same = !first && before == shared_.idle.size();
    num_settled_ = same ? num_settled_ + 1 : 0;
  }

  // Whether to profile the execution of that number, counted from 1.
  bool WantsProfile(uint64_t number) const {
    return (num_settled_ < kSettled && number < kManyExecutions) ||
           std::has_single_bit(number);
  }

  const std::vector<uint64_t>& ids() const { return shared_.idle; }

  // Those that are no points in an execution that wants `sites`, which is not
  // kAll.
  finding::QuietSites For(Sites sites) const {
    if (sites != Sites::kRacy || !raced_) return shared_;
    return {.idle = shared_.idle, .ordered = calm_};
  }

 private:
  using Ids = std::vector<uint64_t>;  // ascending

  static Ids Less(const Ids& all, const Ids& without) {
    Ids left;
    std::ranges::set_difference(all, without, std::back_inserter(left));
    return left;
  }
  static void Narrow(Ids& ids, bool known, const Ids& first, const Ids& out) {
    ids = Less(known ? ids : first, out);
  }

  bool profiled_ = false;
  bool raced_ = false;  // a profile has told of races
  uint64_t num_settled_ = 0;
  finding::QuietSites shared_;
  Ids calm_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_IDLE_SITES_H_
