#include "explore/plan/corpus.h"

#include <algorithm>

namespace fairlead::explore {

void Corpus::Add(std::span<const abi::ChoiceRecord> choices, uint64_t earned) {
  if (choices.empty() || choices.size() > kMaxChoices) return;
  Entry entry = {.choices = {choices.begin(), choices.end()},
                 .earned = std::min<uint64_t>(earned, 64),
                 .followed = 0};
  if (entries_.size() < kMaxEntries) {
    entries_.push_back(std::move(entry));
    return;
  }
  *std::ranges::min_element(entries_, {}, &Entry::Weight) = std::move(entry);
}

std::vector<abi::ChoiceRecord> Corpus::Prefix(sched::Rng& rng) {
  if (entries_.empty()) return {};
  uint64_t total = 0;
  for (const Entry& entry : entries_) total += entry.Weight();
  uint64_t left = rng.Below(total);
  size_t index = 0;
  while (left >= entries_[index].Weight()) left -= entries_[index++].Weight();
  Entry& entry = entries_[index];
  ++entry.followed;
  const auto end = entry.choices.begin() +
                   static_cast<ptrdiff_t>(rng.Below(entry.choices.size()) + 1);
  return {entry.choices.begin(), end};
}

}  // namespace fairlead::explore
