// order/node_pool.h
//
// Nodes named by numbers, counted from 1 so that 0 can mean none. Those given
// back are used again, so a pool is as large as the most that were alive at
// once. References hold until the node is given back.

#ifndef FAIRLEAD_ORDER_NODE_POOL_H_
#define FAIRLEAD_ORDER_NODE_POOL_H_

#include <cstdint>
#include <deque>
#include <vector>

namespace fairlead::order {

template <typename Node>
class NodePool {
 public:
  Node& operator[](uint32_t number) { return nodes_[number - 1]; }

  // A node as it was made or given back; the caller sets what matters.
  uint32_t New() {
    if (!free_.empty()) {
      const uint32_t number = free_.back();
      free_.pop_back();
      return number;
    }
    nodes_.emplace_back();
    return static_cast<uint32_t>(nodes_.size());
  }

  // The caller has cleared what it holds.
  void GiveBack(uint32_t number) { free_.push_back(number); }

  size_t num_alive() const { return nodes_.size() - free_.size(); }

 private:
  std::deque<Node> nodes_;
  std::vector<uint32_t> free_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_NODE_POOL_H_
