// order/object_table.h
//
// Values by exact address, forgotten by range: what is known of the mutexes,
// atomics and pointers of a program. Lookups cost an array access; nodes are
// reused, so the table grows with the objects that are alive.

#ifndef FAIRLEAD_ORDER_OBJECT_TABLE_H_
#define FAIRLEAD_ORDER_OBJECT_TABLE_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "order/shadow.h"

namespace fairlead::order {

template <typename Value>
class ObjectTable {
 public:
  // The object at this address; a fresh one if there is none. References hold
  // until it is forgotten.
  Value& At(uint64_t address) {
    uint32_t& head = heads_.At(address / kCellBytes);
    for (uint32_t i = head; i != 0; i = NodeAt(i).next) {
      if (NodeAt(i).address == address) return NodeAt(i).value;
    }
    const uint32_t index = NewNode();
    Node& node = NodeAt(index);
    node.address = address;
    node.next = head;
    head = index;
    return node.value;
  }

  // Null when there is none.
  Value* Find(uint64_t address) {
    const uint32_t* head = heads_.Find(address / kCellBytes);
    if (head == nullptr) return nullptr;
    for (uint32_t i = *head; i != 0; i = NodeAt(i).next) {
      if (NodeAt(i).address == address) return &NodeAt(i).value;
    }
    return nullptr;
  }

  // Ends the objects that begin in this range.
  void Forget(uint64_t address, uint64_t bytes) {
    if (num_objects_ == 0) return;
    const CellRange range = CellsOf(address, bytes);
    heads_.ForEach(range, [&](uint64_t, uint32_t& head) {
      uint32_t* link = &head;
      while (*link != 0) {
        Node& node = NodeAt(*link);
        if (node.address - address >= bytes) {
          link = &node.next;
          continue;
        }
        free_.push_back(*link);
        *link = node.next;
        node.value = {};
        --num_objects_;
      }
    });
    heads_.Drop(range);
  }

  size_t num_objects() const { return num_objects_; }

 private:
  struct Node {
    uint64_t address = 0;
    uint32_t next = 0;  // in the same cell; 0 = none
    Value value = {};
  };

  Node& NodeAt(uint32_t index) { return nodes_[index - 1]; }

  uint32_t NewNode() {
    ++num_objects_;
    if (!free_.empty()) {
      const uint32_t index = free_.back();
      free_.pop_back();
      return index;
    }
    nodes_.emplace_back();
    return static_cast<uint32_t>(nodes_.size());
  }

  Shadow<uint32_t> heads_;  // index into nodes_, counted from 1; 0 = none
  std::deque<Node> nodes_;
  std::vector<uint32_t> free_;
  size_t num_objects_ = 0;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_OBJECT_TABLE_H_
