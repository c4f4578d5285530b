// analysis/iroot/nodes.h
//
// Touches that agree in all that iRoots look at, as numbers:
//
//   kind   thread, place, shape, locks held
//   node   a kind, at one location
//
// A place that touches many locations (an array) has one node for all of them
// beyond the first few, so that nodes grow with the program and not with its
// data.
//
// Incomplete: what is true of one element is then taken for true of all.

#ifndef FAIRLEAD_ANALYSIS_IROOT_NODES_H_
#define FAIRLEAD_ANALYSIS_IROOT_NODES_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/iroot/touch.h"
#include "order/locksets.h"

namespace fairlead::analysis::iroot {

enum class KindId : uint32_t {};
enum class NodeId : uint32_t {};
inline constexpr NodeId kNoNode = NodeId{~uint32_t{0}};

struct Kind {
  uint64_t place = 0;
  order::LocksetId locks = order::LocksetId::kEmpty;
  Tid tid = Tid::kNone;
  Shape shape = Shape::kRead;
  bool exclusive = false;
  bool atomic = false;
  bool operator==(const Kind&) const = default;
};

struct Node {
  KindId kind = {};
  uint64_t location = 0;       // kAnyLocation, or an address
  bool after_outside = false;  // its thread had waited for the outside world
  bool null = false;           // it wrote a pointer's worth of zeros
  uint32_t occurrence = 0;     // the thread's pass over the place, from 1, that
                               // touched the location first
};

class Nodes {
 public:
  static constexpr uint64_t kAnyLocation = ~uint64_t{0};
  // Locations of one kind that are told apart.
  static constexpr uint32_t kMaxLocations = 8;

  KindId Of(const Kind& kind) {
    Cached& cached = cache_[KindHash()(kind) % kCacheEntries];
    if (cached.known && cached.kind == kind) return cached.id;
    const auto next = static_cast<uint32_t>(kinds_.size());
    const auto [entry, fresh] = numbers_.try_emplace(kind, KindId{next});
    if (fresh) {
      kinds_.push_back(kind);
      num_locations_.push_back(0);
    }
    cached = {kind, entry->second, true};
    return entry->second;
  }

  NodeId At(KindId kind, uint64_t location) {
    const auto known = nodes_of_.find({kind, location});
    if (known != nodes_of_.end()) return known->second;
    uint32_t& count = num_locations_[static_cast<uint32_t>(kind)];
    if (count >= kMaxLocations && location != kAnyLocation) {
      return At(kind, kAnyLocation);
    }
    if (location != kAnyLocation) ++count;
    const auto id = NodeId{static_cast<uint32_t>(nodes_.size())};
    nodes_.push_back({.kind = kind, .location = location});
    nodes_of_.emplace(NodeKey{kind, location}, id);
    return id;
  }

  const Kind& operator[](KindId id) const {
    return kinds_[static_cast<uint32_t>(id)];
  }
  Node& operator[](NodeId id) { return nodes_[static_cast<uint32_t>(id)]; }
  const Node& operator[](NodeId id) const {
    return nodes_[static_cast<uint32_t>(id)];
  }
  // Whether its place touches several locations, and this is one of them.
  bool ToldApart(NodeId id) const {
    const Node& node = (*this)[id];
    return node.location != kAnyLocation &&
           num_locations_[static_cast<uint32_t>(node.kind)] > 1;
  }
  const Kind& KindOf(NodeId id) const { return (*this)[(*this)[id].kind]; }
  size_t size() const { return nodes_.size(); }

 private:
  static constexpr size_t kCacheEntries = 4096;
  struct KindHash {
    size_t operator()(const Kind& kind) const {
      uint64_t hash = kind.place * 0x9e3779b97f4a7c15u;
      hash ^= (hash >> 29) ^ static_cast<uint64_t>(kind.locks) << 24 ^
              static_cast<uint64_t>(abi::Index(kind.tid)) << 8 ^
              static_cast<uint64_t>(kind.shape) << 2 ^
              (kind.exclusive ? 2u : 0u) ^ (kind.atomic ? 1u : 0u);
      hash *= 0xbf58476d1ce4e5b9u;
      return hash ^ (hash >> 32);
    }
  };
  struct NodeKey {
    KindId kind;
    uint64_t location;
    bool operator==(const NodeKey&) const = default;
  };
  struct NodeHash {
    size_t operator()(const NodeKey& key) const {
      uint64_t hash = (key.location ^ static_cast<uint64_t>(key.kind) << 40) *
                      0x9e3779b97f4a7c15u;
      return hash ^ (hash >> 32);
    }
  };
  struct Cached {
    Kind kind;
    KindId id = {};
    bool known = false;
  };

  std::vector<Cached> cache_ = std::vector<Cached>(kCacheEntries);
  std::unordered_map<Kind, KindId, KindHash> numbers_;
  std::vector<Kind> kinds_;              // by KindId
  std::vector<uint32_t> num_locations_;  // by KindId
  std::unordered_map<NodeKey, NodeId, NodeHash> nodes_of_;
  std::vector<Node> nodes_;  // by NodeId
};

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_ANALYSIS_IROOT_NODES_H_
