#include "explore/plan/learnt.h"

#include <algorithm>

namespace fairlead::explore {

void Learnt::Learn(const Observed& observed) {
  steps_[next_++ % kRecent] = observed.steps;
  num_threads_ = std::max<uint64_t>(num_threads_, observed.num_threads);
  if (observed.end != Observed::End::kOk || observed.counts.empty()) return;
  const size_t known =
      std::min({static_cast<size_t>(observed.num_threads),
                observed.counts.size(), observed.threads.size()});
  counts_.assign(observed.counts.begin(), observed.counts.begin() + known);
  parents_.clear();
  for (size_t i = 0; i < known; ++i) {
    parents_.push_back(observed.threads[i].parent);
  }
}

uint64_t Learnt::steps() const { return *std::ranges::max_element(steps_); }

std::vector<abi::WeightRecord> Learnt::Weights(uint64_t mask) const {
  std::vector<abi::WeightRecord> weights(counts_.size());
  // Children have higher numbers than their parents, so their sums are
  // complete when they are added.
  for (size_t i = counts_.size(); i-- > 0;) {
    for (size_t bucket = 0; bucket < abi::kOperationBuckets; ++bucket) {
      if ((mask >> bucket & 1) != 0) {
        weights[i].weight += counts_[i].by_bucket[bucket];
      }
    }
    weights[i].parent = parents_[i];
    if (abi::Index(parents_[i]) < i) {
      weights[abi::Index(parents_[i])].weight += weights[i].weight;
    }
  }
  return weights;
}

uint64_t Learnt::shared_buckets() const {
  uint64_t shared = 0;
  for (size_t bucket = 0; bucket < abi::kOperationBuckets; ++bucket) {
    const auto active = std::ranges::count_if(counts_, [&](const auto& count) {
      return count.by_bucket[bucket] != 0;
    });
    if (active >= 2) shared |= uint64_t{1} << bucket;
  }
  return shared;
}

}  // namespace fairlead::explore
