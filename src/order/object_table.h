// order/object_table.h
//
// Values by exact address, forgotten by range: what is known of the mutexes,
// atomics and pointers of a program. Lookups cost an array access; nodes are
// reused, so the table grows with the objects that are alive.

#ifndef FAIRLEAD_ORDER_OBJECT_TABLE_H_
#define FAIRLEAD_ORDER_OBJECT_TABLE_H_

#include <cstdint>

#include "order/node_pool.h"
#include "order/shadow.h"

namespace fairlead::order {

template <typename Value>
class ObjectTable {
 public:
  // The object at this address; a fresh one if there is none. References hold
  // until it is forgotten.
  Value& At(uint64_t address) {
    uint32_t& head = heads_.At(address / kCellBytes);
    for (uint32_t i = head; i != 0; i = nodes_[i].next) {
      if (nodes_[i].address == address) return nodes_[i].value;
    }
    const uint32_t index = nodes_.New();
    Node& node = nodes_[index];
    node.address = address;
    node.next = head;
    head = index;
    return node.value;
  }

  // Null when there is none.
  Value* Find(uint64_t address) {
    const uint32_t* head = heads_.Find(address / kCellBytes);
    if (head == nullptr) return nullptr;
    for (uint32_t i = *head; i != 0; i = nodes_[i].next) {
      if (nodes_[i].address == address) return &nodes_[i].value;
    }
    return nullptr;
  }

  // Ends the objects that begin in this range.
  void Forget(uint64_t address, uint64_t bytes) {
    if (num_objects() == 0) return;
    const CellRange range = CellsOf(address, bytes);
    heads_.ForEach(range, [&](uint64_t, uint32_t& head) {
      uint32_t* link = &head;
      while (*link != 0) {
        Node& node = nodes_[*link];
        if (node.address - address >= bytes) {
          link = &node.next;
          continue;
        }
        const uint32_t gone = *link;
        *link = node.next;
        node.value = {};
        nodes_.GiveBack(gone);
      }
    });
    heads_.Drop(range);
  }

  size_t num_objects() const { return nodes_.num_alive(); }

 private:
  struct Node {
    uint64_t address = 0;
    uint32_t next = 0;  // in the same cell; 0 = none
    Value value = {};
  };

  Shadow<uint32_t> heads_;  // number of a node; 0 = none
  NodePool<Node> nodes_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_OBJECT_TABLE_H_
