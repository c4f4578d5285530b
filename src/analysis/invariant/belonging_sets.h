// analysis/invariant/belonging_sets.h
//
// Anticipating invariants (Zhang, Wu, Lu, Qi, Ren, Zheng, "A Lightweight System
// for Detecting and Tolerating Concurrency Bugs", TSE 2016): the belonging set
// of a site has the remote predecessors that its accesses had in executions
// that were right; an access with another one is a violation.
//
// Differs from the paper: a predecessor may be told apart by what its thread
// did to the location just before (abi::GuardHistory). Two reads that are meant
// to agree are often one site (an accessor), and then the first and the second
// of them must not be the same predecessor. `WithoutHistory` is the paper's.
//
// A plain value; sites are whatever the user numbers them by, never 0.

#ifndef FAIRLEAD_ANALYSIS_INVARIANT_BELONGING_SETS_H_
#define FAIRLEAD_ANALYSIS_INVARIANT_BELONGING_SETS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "abi/guard_rules.h"

namespace fairlead::analysis {

struct Predecessor {
  uint64_t site = 0;  // 0 = nil: no other thread's access since it is memory
  abi::GuardHistory history = abi::GuardHistory::kFirst;  // of nil too
  auto operator<=>(const Predecessor&) const = default;
};

class BelongingSets {
 public:
  using Set = std::set<Predecessor>;

  // Whether it was not there.
  bool Add(uint64_t site, Predecessor predecessor) {
    const bool added = sets_[site].insert(predecessor).second;
    num_pairs_ += added ? 1 : 0;
    return added;
  }

  // How many pairs of `other` were not there.
  size_t Merge(const BelongingSets& other) {
    size_t added = 0;
    for (const auto& [site, set] : other.sets_) {
      for (const Predecessor& each : set) added += Add(site, each) ? 1 : 0;
    }
    return added;
  }

  // A site of which nothing is known may have any predecessor.
  bool Allows(uint64_t site, Predecessor predecessor) const {
    const auto found = sets_.find(site);
    return found == sets_.end() || found->second.contains(predecessor);
  }

  // The same sets where how a thread came to a site is no matter.
  BelongingSets WithoutHistory() const {
    BelongingSets plain;
    for (const auto& [site, set] : sets_) {
      for (const Predecessor& each : set) plain.Add(site, {.site = each.site});
    }
    return plain;
  }

  // Only sites for which `keep` is true, and predecessors that are such sites,
  // or nil. Unsound: of an execution that was watched whole, this is not what
  // watching the kept sites alone would have shown, where one of them shares a
  // location with one that is left out.
  template <typename Keep>
  BelongingSets Only(Keep keep) const {
    BelongingSets some;
    for (const auto& [site, set] : sets_) {
      if (!keep(site)) continue;
      for (const Predecessor& each : set) {
        if (each.site == 0 || keep(each.site)) some.Add(site, each);
      }
    }
    return some;
  }

  // Predecessors that have no set of their own: sites that are not watched
  // would be taken for others. Ascending; empty = the sets are closed.
  std::vector<uint64_t> Missing() const {
    std::set<uint64_t> missing;
    for (const auto& [site, set] : sets_) {
      for (const Predecessor& each : set) {
        if (each.site != 0 && !sets_.contains(each.site)) {
          missing.insert(each.site);
        }
      }
    }
    return {missing.begin(), missing.end()};
  }

  const std::map<uint64_t, Set>& sets() const { return sets_; }
  size_t num_sites() const { return sets_.size(); }
  size_t num_pairs() const { return num_pairs_; }
  bool operator==(const BelongingSets&) const = default;

 private:
  std::map<uint64_t, Set> sets_;
  size_t num_pairs_ = 0;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_INVARIANT_BELONGING_SETS_H_
