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

#include <bit>
#include <cstdint>
#include <type_traits>

#include "order/node_pool.h"
#include "order/shadow.h"

namespace fairlead::order {

template <typename State>
class Variables {
 public:
  // Calls `visit(address, state)` for each variable that makes up the range,
  // with its first byte in the range; or `visit(address, last, state)`, if it
  // takes that, with the last one, too. Before, `split(state, rest)` for each
  // that only part of is in the range, where `rest` is a copy of `state` and
  // belongs to the other part from now on.
  template <typename Visit>
  void Touch(uint64_t address, uint64_t bytes, Visit visit) {
    Touch(address, bytes, visit, [](State&, State&) {});
  }
  template <typename Visit, typename Split>
  void Touch(uint64_t address, uint64_t bytes, Visit visit, Split split) {
    const CellRange range = AccessedCells(address, bytes);
    for (uint64_t cell = range.first; cell <= range.last; ++cell) {
      const uint8_t mask = MaskIn(cell, address, bytes);
      uint32_t& head = heads_.At(cell);
      if (head != 0) {
        Node& node = nodes_[head];
        if (node.mask == mask) {  // nearly always
          Call(visit, cell, mask, node.state);
          continue;
        }
      }
      TouchCell(head, cell, mask, visit, split);
    }
  }

  // Forgets what lies in the range, after `visit(address, state)` of each
  // variable that does, with its first byte in the range; and `gone(state)`
  // for those of which nothing is left.
  template <typename Visit>
  void Forget(uint64_t address, uint64_t bytes, Visit visit) {
    Forget(address, bytes, visit, [](State&) {});
  }
  template <typename Visit, typename Gone>
  void Forget(uint64_t address, uint64_t bytes, Visit visit, Gone gone_visit) {
    const CellRange range = CellsOf(address, bytes);
    heads_.ForEach(range, [&](uint64_t cell, uint32_t& head) {
      const uint8_t mask = MaskIn(cell, address, bytes);
      for (uint32_t* link = &head; *link != 0;) {
        Node& node = nodes_[*link];
        const uint8_t common = node.mask & mask;
        if (common != 0)
          visit(cell * kCellBytes + FirstBit(common), node.state);
        node.mask &= static_cast<uint8_t>(~mask);
        if (node.mask != 0) {
          link = &node.next;
          continue;
        }
        gone_visit(node.state);
        node.state = State();
        const uint32_t gone = *link;
        *link = node.next;
        nodes_.GiveBack(gone);
      }
    });
    heads_.Drop(range);
  }

  // Calls `visit(address, state)` for every variable, with its first byte.
  template <typename Visit>
  void ForEach(Visit visit) {
    const CellRange all = CellsOf(0, ~uint64_t{0});
    heads_.ForEach(all, [&](uint64_t cell, uint32_t& head) {
      for (uint32_t index = head; index != 0; index = nodes_[index].next) {
        Node& node = nodes_[index];
        visit(cell * kCellBytes + FirstBit(node.mask), node.state);
      }
    });
  }

  // The variable that this byte belongs to, or null.
  State* Find(uint64_t address) {
    const uint32_t* head = heads_.Find(address / kCellBytes);
    if (head == nullptr) return nullptr;
    const unsigned bit = 1u << address % kCellBytes;
    for (uint32_t index = *head; index != 0; index = nodes_[index].next) {
      if ((nodes_[index].mask & bit) != 0) return &nodes_[index].state;
    }
    return nullptr;
  }

  // Those that are known of now.
  size_t num_variables() const { return nodes_.num_alive(); }

 private:
  struct Node {
    uint8_t mask = 0;   // bytes of the cell; disjoint from others in the cell
    uint32_t next = 0;  // in the cell; 0 = none
    State state = {};
  };

  static uint64_t FirstBit(uint8_t mask) {
    return static_cast<uint64_t>(__builtin_ctz(mask));
  }

  template <typename Visit>
  static void Call(Visit& visit, uint64_t cell, uint8_t mask, State& state) {
    const uint64_t base = cell * kCellBytes;
    if constexpr (std::is_invocable_v<Visit&, uint64_t, uint64_t, State&>) {
      visit(base + FirstBit(mask),
            base + static_cast<uint64_t>(std::bit_width(mask)) - 1, state);
    } else {
      visit(base + FirstBit(mask), state);
    }
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

  void Insert(uint32_t& head, uint8_t mask, const State& state) {
    const uint32_t index = nodes_.New();
    Node& node = nodes_[index];
    node.mask = mask;
    node.next = head;
    node.state = state;
    head = index;
  }

  template <typename Visit, typename Split>
  void TouchCell(uint32_t& head, uint64_t cell, uint8_t mask, Visit& visit,
                 Split& split) {
    uint8_t fresh = mask;
    for (uint32_t index = head; index != 0;) {
      Node& node = nodes_[index];
      index = node.next;
      const uint8_t common = node.mask & mask;
      if (common == 0) continue;
      fresh &= static_cast<uint8_t>(~common);
      const auto rest = static_cast<uint8_t>(node.mask & ~mask);
      if (rest != 0) {
        node.mask = common;
        Insert(head, rest, node.state);
        split(node.state, nodes_[head].state);
      }
      Call(visit, cell, common, node.state);
    }
    if (fresh == 0) return;
    Insert(head, fresh, State());
    Call(visit, cell, fresh, nodes_[head].state);
  }

  Shadow<uint32_t> heads_;  // number of a node; 0 = none
  NodePool<Node> nodes_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_VARIABLES_H_
