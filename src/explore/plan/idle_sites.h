// explore/plan/idle_sites.h
//
// Which sites are no points in the executions of a campaign: what its first
// profile says, less what any profile has seen otherwise. So the set of points
// only grows. Which executions are to be profiled: in the first, one worker may
// have done what all of a pool share. And which of the others are settled: what
// watching them for iRoots could show has been seen.

#ifndef FAIRLEAD_EXPLORE_PLAN_IDLE_SITES_H_
#define FAIRLEAD_EXPLORE_PLAN_IDLE_SITES_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

#include "explore/plan/planner.h"
#include "explore/watch/profile.h"
#include "finding/finding.h"

namespace fairlead::explore {

class IdleSites {
 public:
  // Profiles become rare after so many in a row that show nothing new, and
  // after so many executions.
  static constexpr uint64_t kSame = 3;
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
    Settle(use);
    const bool same = !first && before == shared_.idle.size();
    num_same_ = same ? num_same_ + 1 : 0;
  }

  // Whether to profile the execution of that number, counted from 1.
  bool WantsProfile(uint64_t number) const {
    return (num_same_ < kSame && number < kManyExecutions) ||
           std::has_single_bit(number);
  }

  const std::vector<uint64_t>& ids() const { return shared_.idle; }

  // Those that are no points in an execution that wants other sites than kAll.
  finding::QuietSites For(const Planned& planned) const {
    if (planned.sites == Sites::kRacy && raced_) {
      return {.idle = shared_.idle, .ordered = calm_};
    }
    if (planned.sites == Sites::kUnsettled && !AimsAtSettled(planned)) {
      return unsettled_only_;
    }
    return shared_;
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

  // A site that was seen otherwise once is not settled by later profiles.
  void Settle(const SiteUse& use) {
    Ids settled;
    for (const SiteUse::Settled& site : use.settled) {
      settled.push_back(site.id);
      settled_anchors_.insert(site.anchor);
    }
    Ids all;
    std::ranges::set_union(unsettled_, Less(use.needed, settled),
                           std::back_inserter(all));
    unsettled_ = std::move(all);
    all.clear();
    std::ranges::set_union(unsettled_only_.idle, settled,
                           std::back_inserter(all));
    unsettled_only_.idle.clear();
    std::ranges::set_union(shared_.idle, Less(all, unsettled_),
                           std::back_inserter(unsettled_only_.idle));
    unsettled_only_.ordered = Less(shared_.ordered, unsettled_only_.idle);
  }
  bool AimsAtSettled(const Planned& planned) const {
    for (const abi::TargetRecord& target : planned.target) {
      for (uint32_t i = 0; i < target.num_steps; ++i) {
        if (settled_anchors_.contains(
                static_cast<uint64_t>(target.steps[i].anchor)))
          return true;
      }
    }
    return false;
  }

  bool profiled_ = false;
  bool raced_ = false;  // a profile has told of races
  uint64_t num_same_ = 0;
  finding::QuietSites shared_;
  Ids calm_;
  finding::QuietSites unsettled_only_;  // for kUnsettled
  Ids unsettled_;  // seen shared, and neither ordered nor walking, once
  std::set<uint64_t> settled_anchors_;  // may name sites that are not, now
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_IDLE_SITES_H_
