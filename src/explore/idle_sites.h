// explore/idle_sites.h
//
// Which sites a campaign leaves idle: those that its first profile saw and that
// no profile has seen to matter. So the set of points only grows.

#ifndef FAIRLEAD_EXPLORE_IDLE_SITES_H_
#define FAIRLEAD_EXPLORE_IDLE_SITES_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "explore/profile.h"

namespace fairlead::explore {

class IdleSites {
 public:
  void Learn(const SiteUse& use) {
    if (!learnt_) ids_ = use.idle;
    learnt_ = true;
    std::vector<uint64_t> left;
    std::ranges::set_difference(ids_, use.needed, std::back_inserter(left));
    ids_ = std::move(left);
  }

  // Ascending.
  const std::vector<uint64_t>& ids() const { return ids_; }

 private:
  bool learnt_ = false;
  std::vector<uint64_t> ids_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_IDLE_SITES_H_
