// analysis/iroot/local_pairs.h
//
// Which touches of a thread follow each other closely, told by nodes: what
// compound idioms are made of. A pair is of the latest touch by one node and
// the next by the other, at most `window` instructions apart.
//
// A thread's window is a list of its nodes, the latest first. A touch is
// compared with those since the same node's last touch: older ones were
// compared then. So a loop costs its own length for each touch, not the
// window's.
//
// Unsound: a touch is compared with the kMaxWalk nodes before it at most, and
// kMaxPairs pairs are kept.

#ifndef FAIRLEAD_ANALYSIS_IROOT_LOCAL_PAIRS_H_
#define FAIRLEAD_ANALYSIS_IROOT_LOCAL_PAIRS_H_

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/iroot/nodes.h"

namespace fairlead::analysis::iroot {

struct LocalPair {
  NodeId first = kNoNode;
  NodeId second = kNoNode;
  order::LocksetId over = order::LocksetId::kEmpty;  // held from one to other
  bool same_location = false;
  bool clean = false;  // the thread touches neither location in between
  // Passes of the thread over the two places, from 1, when it was first seen;
  // no part of what a pair is.
  uint32_t first_pass = 0;
  uint32_t second_pass = 0;
  bool operator==(const LocalPair& other) const {
    return first == other.first && second == other.second &&
           over == other.over && same_location == other.same_location &&
           clean == other.clean;
  }
};

// A touch as windows see it.
struct Near {
  NodeId node = kNoNode;
  uint64_t address = 0;
  bool lock = false;
  uint64_t seq = 0;
  uint64_t instructions = 0;  // of the thread, so far
  uint32_t pass = 0;          // of the thread over the place
  uint64_t own_before =
      0;  // seq + 1 of its last touch of the location; 0 = none
};

class LocalPairs {
 public:
  explicit LocalPairs(uint64_t window) : window_(window) {}

  // `locks` as they are after the touch of `tid`.
  void Add(Tid tid, const Near& now, order::Locksets& locks);

  // In the order in which they were seen.
  const std::vector<LocalPair>& all() const { return pairs_; }
  // Of these two, in this order; empty when they were not seen near each other.
  std::vector<const LocalPair*> Between(NodeId first, NodeId second) const;

 private:
  static constexpr uint32_t kEnd = ~uint32_t{0};
  static constexpr size_t kMaxWalk = 48;
  static constexpr size_t kMaxPairs = size_t{1} << 20;
  struct Link {  // by NodeId
    uint32_t newer = kEnd;
    uint32_t older = kEnd;
    bool linked = false;
    bool lock = false;
    uint64_t address = 0;
    uint64_t seq = 0;
    uint64_t instructions = 0;
    uint32_t pass = 0;
    uint64_t walk = 0;  // digest of what it was last compared with
  };
  struct PairHash {
    size_t operator()(const LocalPair& pair) const {
      uint64_t hash = static_cast<uint64_t>(pair.first) << 32 |
                      static_cast<uint64_t>(pair.second);
      hash =
          (hash ^ static_cast<uint64_t>(pair.over) << 20) * 0x9e3779b97f4a7c15u;
      hash ^= (pair.same_location ? 2u : 0u) ^ (pair.clean ? 1u : 0u);
      return hash ^ (hash >> 32);
    }
  };

  static uint64_t KeyOf(NodeId first, NodeId second) {
    return static_cast<uint64_t>(first) << 32 | static_cast<uint64_t>(second);
  }
  void Unlink(uint32_t node, uint32_t& newest);
  void Record(const LocalPair& pair);

  uint64_t window_;
  std::vector<Link> links_;       // by NodeId
  std::vector<uint32_t> newest_;  // by thread; kEnd = none
  std::vector<LocalPair> walk_;   // of the touch at hand
  std::vector<uint64_t> seen_;    // locations met on the way
  std::vector<LocalPair> pairs_;
  std::unordered_set<LocalPair, PairHash> known_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_nodes_;
};

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_ANALYSIS_IROOT_LOCAL_PAIRS_H_
