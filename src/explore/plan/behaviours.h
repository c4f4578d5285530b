// explore/plan/behaviours.h
//
// The features (abi::RegionId::kFeatures) that executions have shown so far,
// and when the last new one came: whether a campaign still sees new behaviour.

#ifndef FAIRLEAD_EXPLORE_PLAN_BEHAVIOURS_H_
#define FAIRLEAD_EXPLORE_PLAN_BEHAVIOURS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "abi/control.h"

namespace fairlead::explore {

class Behaviours {
 public:
  // Learns what an execution showed; returns how many were new.
  uint64_t Learn(std::span<const uint64_t> features) {
    uint64_t num_new = 0;
    for (size_t i = 0; i < std::min(features.size(), seen_.size()); ++i) {
      num_new += static_cast<uint64_t>(std::popcount(features[i] & ~seen_[i]));
      seen_[i] |= features[i];
    }
    number_ += num_new;
    return num_new;
  }

  uint64_t number() const { return number_; }

 private:
  std::vector<uint64_t> seen_ = std::vector<uint64_t>(abi::kFeatureWords);
  uint64_t number_ = 0;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_BEHAVIOURS_H_
