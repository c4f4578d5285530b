// order/variable_cells.h
//
// The variables of a program, by number: a variable is a set of bytes of one
// 8-byte cell that were always touched together. An access that touches only
// part of one splits it. So overlapping accesses meet in exactly the bytes that
// they share, whatever their sizes. Numbers count from 1 and are used again.
//
// What is known of a variable is kept elsewhere, by number (variables.h,
// variable_states.h); finding the number of a variable that has a cell to
// itself costs one look into the table of cells.

#ifndef FAIRLEAD_ORDER_VARIABLE_CELLS_H_
#define FAIRLEAD_ORDER_VARIABLE_CELLS_H_

#include <bit>
#include <cstdint>

#include "order/node_pool.h"
#include "order/shadow.h"

namespace fairlead::order {

class VariableCells {
 public:
  // Calls `visit(address, last, number)` for each variable that makes up the
  // range, with its first and its last byte in the range. New ones are made
  // where there are none. Before, `split(number, rest)` for each that only part
  // of is in the range, where `rest` is the new number of the other part.
  template <typename Visit, typename Split>
  void Touch(uint64_t address, uint64_t bytes, Visit visit, Split split) {
    const CellRange range = AccessedCells(address, bytes);
    for (uint64_t cell = range.first; cell <= range.last; ++cell) {
      const uint8_t mask = MaskIn(cell, address, bytes);
      Head& head = heads_.At(cell);
      if (head.mask == mask) {  // nearly always
        Call(visit, cell, mask, head.number);
        continue;
      }
      TouchCell(head, cell, mask, visit, split);
    }
  }

  // The variable that is just this range, as far as one look tells: 0 = Touch
  // it. So it nearly always is.
  uint32_t Exactly(uint64_t address, uint64_t bytes) {
    const uint64_t offset = address % kCellBytes;
    if (bytes - 1 >= kCellBytes - offset) return 0;  // also for no bytes
    const Head* head = heads_.Find(address / kCellBytes);
    const unsigned mask = (0xffu >> (kCellBytes - bytes)) << offset;
    return head != nullptr && head->mask == mask ? head->number : 0;
  }

  // Forgets what lies in the range, after `visit(address, number)` of each
  // variable that does, with its first byte in the range; and `gone(number)`
  // for those of which nothing is left.
  template <typename Visit, typename Gone>
  void Forget(uint64_t address, uint64_t bytes, Visit visit, Gone gone) {
    const CellRange range = CellsOf(address, bytes);
    heads_.ForEach(range, [&](uint64_t cell, Head& head) {
      if (head.number == 0) return;
      const uint8_t mask = MaskIn(cell, address, bytes);
      Head left;
      for (uint32_t number = head.number; number != 0;) {
        Node& node = nodes_[number];
        const uint32_t next = node.next;
        const uint8_t common = node.mask & mask;
        if (common != 0) visit(cell * kCellBytes + FirstBit(common), number);
        node.mask &= static_cast<uint8_t>(~mask);
        if (node.mask != 0) {
          node.next = left.number;
          left = {number, node.mask};
        } else {
          gone(number);
          nodes_.GiveBack(number);
        }
        number = next;
      }
      head = left;
    });
    heads_.Drop(range);
  }

  // Calls `visit(address, number)` for every variable, with its first byte.
  template <typename Visit>
  void ForEach(Visit visit) {
    const CellRange all = CellsOf(0, ~uint64_t{0});
    heads_.ForEach(all, [&](uint64_t cell, Head& head) {
      for (uint32_t n = head.number; n != 0; n = nodes_[n].next) {
        visit(cell * kCellBytes + FirstBit(nodes_[n].mask), n);
      }
    });
  }

  // The variable that this byte belongs to; 0 = none.
  uint32_t Find(uint64_t address) {
    const Head* head = heads_.Find(address / kCellBytes);
    if (head == nullptr) return 0;
    const unsigned bit = 1u << address % kCellBytes;
    uint32_t number = head->number;
    while (number != 0 && (nodes_[number].mask & bit) == 0) {
      number = nodes_[number].next;
    }
    return number;
  }

  // An access to this byte will come: soon, and then which variable it will
  // touch first, as far as that is known at little cost; 0 = not known.
  void Prefetch(uint64_t address) {
    if (const Head* head = heads_.Find(address / kCellBytes)) {
      __builtin_prefetch(head);
    }
  }
  uint32_t Guess(uint64_t address) {
    const Head* head = heads_.Find(address / kCellBytes);
    return head == nullptr ? 0 : head->number;
  }

  // Those that are known of now.
  size_t num_variables() const { return nodes_.num_alive(); }

 private:
  // The first variable of a cell, with its bytes, so that the others need not
  // be looked at; mask 0 = none.
  struct Head {
    uint32_t number = 0;
    uint8_t mask = 0;
  };
  static_assert(sizeof(Head) == 8);
  struct Node {
    uint8_t mask = 0;   // bytes of the cell; disjoint from others in the cell
    uint32_t next = 0;  // in the cell; 0 = none
  };

  static uint64_t FirstBit(uint8_t mask) {
    return static_cast<uint64_t>(std::countr_zero(mask));
  }

  template <typename Visit>
  static void Call(Visit& visit, uint64_t cell, uint8_t mask, uint32_t number) {
    const uint64_t base = cell * kCellBytes;
    visit(base + FirstBit(mask),
          base + static_cast<uint64_t>(std::bit_width(mask)) - 1, number);
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

  uint32_t Insert(Head& head, uint8_t mask) {
    const uint32_t number = nodes_.New();
    nodes_[number] = {mask, head.number};
    head = {number, mask};
    return number;
  }

  template <typename Visit, typename Split>
  void TouchCell(Head& head, uint64_t cell, uint8_t mask, Visit& visit,
                 Split& split) {
    uint8_t fresh = mask;
    const uint32_t first = head.number;
    for (uint32_t number = first; number != 0;) {
      Node& node = nodes_[number];
      const uint32_t next = node.next;
      const uint8_t common = node.mask & mask;
      if (common != 0) {
        fresh &= static_cast<uint8_t>(~common);
        const auto rest = static_cast<uint8_t>(node.mask & ~mask);
        if (rest != 0) {
          node.mask = common;
          split(number, Insert(head, rest));
        }
        Call(visit, cell, common, number);
      }
      number = next;
    }
    if (fresh != 0) Call(visit, cell, fresh, Insert(head, fresh));
  }

  Shadow<Head> heads_;
  NodePool<Node> nodes_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_VARIABLE_CELLS_H_
