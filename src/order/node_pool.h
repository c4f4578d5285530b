// order/node_pool.h
//
// Nodes named by numbers, counted from 1 so that 0 can mean none. Those given
// back are used again, so a pool is as large as the most that were alive at
// once. References hold until the node is given back.

#ifndef FAIRLEAD_ORDER_NODE_POOL_H_
#define FAIRLEAD_ORDER_NODE_POOL_H_

#include <cstdint>
#include <memory>
#include <vector>

namespace fairlead::order {

template <typename Node>
class NodePool {
 public:
  Node& operator[](uint32_t number) {
    return chunks_[(number - 1) / kChunk][(number - 1) % kChunk];
  }

  // A node as it was made or given back; the caller sets what matters.
  uint32_t New() {
    if (!free_.empty()) {
      const uint32_t number = free_.back();
      free_.pop_back();
      return number;
    }
    if (size_ / kChunk == chunks_.size()) {
      chunks_.push_back(std::make_unique<Node[]>(kChunk));
    }
    return ++size_;
  }

  // The caller has cleared what it holds.
  void GiveBack(uint32_t number) { free_.push_back(number); }

  size_t num_alive() const { return size_ - free_.size(); }

 private:
  // A power of two, so that a number is split by shifts; small, since there are
  // tables with one node.
  static constexpr uint32_t kChunk = 64;

  std::vector<std::unique_ptr<Node[]>> chunks_;
  uint32_t size_ = 0;  // made so far
  std::vector<uint32_t> free_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_NODE_POOL_H_
