// explore/plan/corpus.h
//
// Schedules of executions that showed something new. A search goes on from
// them: it follows one to some place and lets a strategy decide from there, so
// that what was hard to reach need not be found again.

#ifndef FAIRLEAD_EXPLORE_PLAN_CORPUS_H_
#define FAIRLEAD_EXPLORE_PLAN_CORPUS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "abi/schedule.h"
#include "sched/rng.h"

namespace fairlead::explore {

class Corpus {
 public:
  // Keeps a schedule that showed `earned` new features, or not: too long ones
  // are left out, and the one that has been followed most in vain makes room.
  void Add(std::span<const abi::ChoiceRecord> choices, uint64_t earned);

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  void Clear() { entries_.clear(); }

  // The beginning of one of them, cut at a random place. Those that earned much
  // and have not been followed often are likelier.
  std::vector<abi::ChoiceRecord> Prefix(sched::Rng& rng);

 private:
  static constexpr size_t kMaxEntries = 64;
  // 24 bytes each: 24 MB in all.
  static constexpr size_t kMaxChoices = size_t{1} << 14;

  struct Entry {
    std::vector<abi::ChoiceRecord> choices;
    uint64_t earned;
    uint64_t followed;  // times
    uint64_t Weight() const { return 1 + 64 * (1 + earned) / (1 + followed); }
  };
  std::vector<Entry> entries_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_CORPUS_H_
