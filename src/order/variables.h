// order/variables.h
//
// What is known of the program's variables, byte by byte but not one record per
// byte: a variable is a set of bytes of one 8-byte cell that were always
// touched together, and has one State. An access that touches only part of one
// splits it, and both parts go on with what was known. So overlapping accesses
// meet in exactly the bytes that they share, whatever their sizes.
//
// State: default-constructible (nothing known), copyable.

#ifndef FAIRLEAD_ORDER_VARIABLES_H_
#define FAIRLEAD_ORDER_VARIABLES_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "order/shadow.h"

namespace fairlead::order {

template <typename State>
class Variables {
 public:
  // Calls `visit(address, state)` for each variable that makes up the range,
  // with its first byte in the range.
  template <typename Visit>
  void Touch(uint64_t address, uint64_t bytes, Visit visit) {
    const CellRange range = AccessedCells(address, bytes);
    for (uint64_t cell = range.first; cell <= range.last; ++cell) {
      const uint8_t mask = MaskIn(cell, address, bytes);
      uint32_t& head = heads_.At(cell);
      if (head != 0) {
        Node& node = NodeAt(head);
        if (node.mask == mask) {  // nearly always
          visit(cell * kCellBytes + FirstBit(mask), node.state);
          continue;
        }
      }
      TouchCell(head, cell, mask, visit);
    }
  }

  // Forgets what lies in the range, after `visit(address, state)` of each
  // variable that does, with its first byte in the range.
  template <typename Visit>
  void Forget(uint64_t address, uint64_t bytes, Visit visit) {
    const CellRange range = CellsOf(address, bytes);
    heads_.ForEach(range, [&](uint64_t cell, uint32_t& head) {
      const uint8_t mask = MaskIn(cell, address, bytes);
      for (uint32_t* link = &head; *link != 0;) {
        Node& node = NodeAt(*link);
        const uint8_t common = node.mask & mask;
        if (common != 0)
          visit(cell * kCellBytes + FirstBit(common), node.state);
        node.mask &= static_cast<uint8_t>(~mask);
        if (node.mask != 0) {
          link = &node.next;
          continue;
        }
        node.state = State();
        free_.push_back(*link);
        *link = node.next;
      }
    });
    heads_.Drop(range);
  }

  // Those that are known of now.
  size_t num_variables() const { return nodes_.size() - free_.size(); }

 private:
  struct Node {
    uint8_t mask = 0;   // bytes of the cell; disjoint from others in the cell
    uint32_t next = 0;  // in the cell; 0 = none
    State state = {};
  };

  static uint64_t FirstBit(uint8_t mask) {
    return static_cast<uint64_t>(__builtin_ctz(mask));
  }

  // The bytes of a cell that lie in a range which touches it.
  static uint8_t MaskIn(uint64_t cell, uint64_t address, uint64_t bytes) {
    const uint64_t base = cell * kCellBytes;
    unsigned mask = 0xff;
    if (address > base) mask &= 0xffu << (address - base);
    const uint64_t end = address + bytes;  // may have wrapped: then no limit
    if (end > base && end - base < kCellBytes) {
      mask &= 0xffu >> (kCellBytes - (end - base));
    }
    return static_cast<uint8_t>(mask);
  }

  Node& NodeAt(uint32_t index) { return nodes_[index - 1]; }

  uint32_t NewNode() {
    if (!free_.empty()) {
      const uint32_t index = free_.back();
      free_.pop_back();
      return index;
    }
    nodes_.emplace_back();
    return static_cast<uint32_t>(nodes_.size());
  }

  void Insert(uint32_t& head, uint8_t mask, const State& state) {
    const uint32_t index = NewNode();
    Node& node = NodeAt(index);
    node.mask = mask;
    node.next = head;
    node.state = state;
    head = index;
  }

  template <typename Visit>
  void TouchCell(uint32_t& head, uint64_t cell, uint8_t mask, Visit& visit) {
    uint8_t fresh = mask;
    for (uint32_t index = head; index != 0;) {
      Node& node = NodeAt(index);
      index = node.next;
      const uint8_t common = node.mask & mask;
      if (common == 0) continue;
      fresh &= static_cast<uint8_t>(~common);
      const auto rest = static_cast<uint8_t>(node.mask & ~mask);
      if (rest != 0) {
        node.mask = common;
        Insert(head, rest, node.state);
      }
      visit(cell * kCellBytes + FirstBit(common), node.state);
    }
    if (fresh == 0) return;
    Insert(head, fresh, State());
    visit(cell * kCellBytes + FirstBit(fresh), NodeAt(head).state);
  }

  Shadow<uint32_t> heads_;  // index into nodes_, counted from 1; 0 = none
  std::deque<Node> nodes_;
  std::vector<uint32_t> free_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_VARIABLES_H_
