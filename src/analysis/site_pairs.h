// analysis/site_pairs.h
//
// Which places in the code have been reported together already: the same two
// lines race a million times in one execution and are one prediction.

#ifndef FAIRLEAD_ANALYSIS_SITE_PAIRS_H_
#define FAIRLEAD_ANALYSIS_SITE_PAIRS_H_

#include <cstdint>
#include <unordered_set>

namespace fairlead::analysis {

class SitePairs {
 public:
  // True the first time. Keys are those of order::Spot; their order does not
  // count for `Add`, and does for `AddOrdered`.
  bool Add(uint64_t one, uint64_t other) {
    return one < other ? AddOrdered(one, other) : AddOrdered(other, one);
  }
  bool AddOrdered(uint64_t first, uint64_t second, uint64_t third = 0) {
    return seen_.insert({first, second, third}).second;
  }

 private:
  struct Keys {
    uint64_t first;
    uint64_t second;
    uint64_t third;
    bool operator==(const Keys&) const = default;
  };
  struct Hash {
    size_t operator()(const Keys& keys) const {
      uint64_t hash = keys.first * 0x9e3779b97f4a7c15u;
      hash = (hash ^ (hash >> 29) ^ keys.second) * 0xbf58476d1ce4e5b9u;
      hash = (hash ^ (hash >> 31) ^ keys.third) * 0x94d049bb133111ebu;
      return hash ^ (hash >> 32);
    }
  };
  std::unordered_set<Keys, Hash> seen_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_SITE_PAIRS_H_
