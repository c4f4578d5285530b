// analysis/sharing/walks.h
//
// Which sites walk over memory: plain accesses to a thousand locations and more
// in one execution, as a loop over a buffer does. One such execution shows what
// they share; to be told of each access again teaches little and costs most of
// what watching a program costs.
//
// Locations are counted by a table of bits that each sets one of, so that a
// site costs half a kilobyte. A spin looks at few locations and is no walk,
// which matters: who makes sites idle must not make those that wait.

#ifndef FAIRLEAD_ANALYSIS_SHARING_WALKS_H_
#define FAIRLEAD_ANALYSIS_SHARING_WALKS_H_

#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "trace/access.h"
#include "trace/event.h"
#include "trace/kinds.h"

namespace fairlead::analysis {

class Walks {
 public:
  static constexpr uint32_t kLocations = 1024;

  // Consumes the next event of an execution.
  void OnEvent(const trace::Event& event) {
    if (event.kind != trace::EventKind::kRead &&
        event.kind != trace::EventKind::kWrite) {
      return;
    }
    if (!event.instrumented()) return;
    if (event.site >= sites_.size()) sites_.resize(event.site + 1);
    Site& site = sites_[event.site];
    // A site that comes up seldom needs no table.
    if (++site.accesses < kLocations || site.num_bits >= kEnough) return;
    if (site.bits == nullptr) site.bits = std::make_unique<Bits>();
    const uint64_t hash = event.address * 0x9e3779b97f4a7c15u;
    auto bit = (*site.bits)[hash >> (64 - kLogBits)];
    site.num_bits += bit ? 0 : 1;
    bit = true;
  }

  // Whether it made as many plain accesses as a walk has locations.
  bool IsBusy(uint32_t site) const {
    return site < sites_.size() && sites_[site].accesses >= kLocations;
  }

  // Sites, by index, ascending.
  std::vector<uint32_t> all() const {
    std::vector<uint32_t> walks;
    for (uint32_t i = 0; i < sites_.size(); ++i) {
      if (sites_[i].num_bits >= kEnough) walks.push_back(i);
    }
    return walks;
  }

 private:
  static constexpr int kLogBits = 12;
  // So many of 4,096 bits are set by 1,024 locations, on average:
  // 4096 * (1 - exp(-1/4)).
  static constexpr uint32_t kEnough = 906;
  using Bits = std::bitset<size_t{1} << kLogBits>;
  struct Site {
    uint64_t accesses = 0;
    uint32_t num_bits = 0;
    std::unique_ptr<Bits> bits;  // null = too few accesses so far
  };

  std::vector<Site> sites_;  // by index
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_SHARING_WALKS_H_
