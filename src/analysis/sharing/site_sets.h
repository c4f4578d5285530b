// analysis/sharing/site_sets.h
//
// Sets of sites, each kept once. Most locations are touched by the same few
// sites, so a location holds the number of its set instead of a list.

#ifndef FAIRLEAD_ANALYSIS_SHARING_SITE_SETS_H_
#define FAIRLEAD_ANALYSIS_SHARING_SITE_SETS_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace fairlead::analysis {

class SiteSets {
 public:
  using Set = uint32_t;
  static constexpr Set kEmpty = 0;

  const std::vector<uint32_t>& Members(Set set) const { return *sets_[set]; }

  // The set with `site` besides.
  Set Add(Set set, uint32_t site) {
    const uint64_t step = uint64_t{set} << 32 | site;
    if (step == last_step_) return last_;
    const auto [known, made] = steps_.try_emplace(step, kEmpty);
    if (made) known->second = Make(set, site);
    last_step_ = step;
    last_ = known->second;
    return last_;
  }

 private:
  Set Make(Set set, uint32_t site) {
    std::vector<uint32_t> members = Members(set);
    const auto place = std::ranges::lower_bound(members, site);
    if (place != members.end() && *place == site) return set;
    members.insert(place, site);
    const auto [known, made] = numbers_.try_emplace(
        std::move(members), static_cast<Set>(sets_.size()));
    if (made) sets_.push_back(&known->first);
    return known->second;
  }

  // Nodes of a map stay where they are, so its keys are the sets.
  std::map<std::vector<uint32_t>, Set> numbers_ = {{{}, kEmpty}};
  std::vector<const std::vector<uint32_t>*> sets_ = {&numbers_.begin()->first};
  std::unordered_map<uint64_t, Set> steps_;  // (set, site) to the set with it
  uint64_t last_step_ = ~uint64_t{0};
  Set last_ = kEmpty;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_SHARING_SITE_SETS_H_
