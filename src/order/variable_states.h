// order/variable_states.h
//
// The variables that an event touches, found once for all analyses
// (VariableNumbers, in the order model), and what one analysis knows of each
// (VariableStates).
//
// A variable is a set of bytes that were always touched together, and has a
// number while it is alive (order/variable_cells.h). One that is split gives
// what is known of it to both parts.

#ifndef FAIRLEAD_ORDER_VARIABLE_STATES_H_
#define FAIRLEAD_ORDER_VARIABLE_STATES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "order/access.h"
#include "order/state_array.h"
#include "order/variable_cells.h"

namespace fairlead::order {

class VariableNumbers {
 public:
  struct Touched {
    uint64_t address = 0;  // its first byte in the range of the event
    uint32_t number = 0;
  };
  // `to` is new, and was part of `from` until now.
  struct Split {
    uint32_t from = 0;
    uint32_t to = 0;
  };

  void OnAccess(const Event& event) {
    if (!splits_.empty()) splits_.clear();
    if (!gone_.empty()) gone_.clear();
    const uint32_t number = cells_.Exactly(event.address, event.size);
    if (number == 0) {
      Look(event);
      return;
    }
    touched_.front() = {event.address, number};
    num_touched_ = 1;
  }

  // Of an event that is no access.
  void OnOther(const Event& event);

  // As in VariableCells.
  void Prefetch(uint64_t address) { cells_.Prefetch(address); }
  uint32_t Guess(uint64_t address) { return cells_.Guess(address); }

  // Of the event: those that an access touches, or that end wholly or in part.
  std::span<const Touched> touched() const {
    return std::span(touched_).first(num_touched_);
  }
  // In the order in which they happened, ahead of all that is touched.
  std::span<const Split> splits() const { return splits_; }
  // Nothing is left of these; their numbers may stand for others from the next
  // event on.
  std::span<const uint32_t> gone() const { return gone_; }

 private:
  // Of an access to what is no variable yet, or several.
  void Look(const Event& event);
  void Add(uint64_t address, uint32_t number) {
    if (num_touched_ == touched_.size()) touched_.emplace_back();
    touched_[num_touched_++] = {address, number};
  }

  VariableCells cells_;
  std::vector<Touched> touched_ = std::vector<Touched>(1);  // with room
  size_t num_touched_ = 0;
  std::vector<Split> splits_;
  std::vector<uint32_t> gone_;
};

// State: default-constructible (nothing known), copyable. One of the two is to
// be called for every event.
template <typename State>
class VariableStates {
 public:
  // Calls `visit(address, state)` for each variable that the access touches.
  template <typename Visit>
  void Touch(const VariableNumbers& variables, Visit visit) {
    for (const VariableNumbers::Split& split : variables.splits()) {
      At(split.to) = At(split.from);
    }
    for (const VariableNumbers::Touched& touched : variables.touched()) {
      visit(touched.address, At(touched.number));
    }
  }

  // Calls `visit(address, state)` for each variable that ends, wholly or in
  // part, with its first byte that does.
  template <typename Visit>
  void Forget(const VariableNumbers& variables, Visit visit) {
    for (const VariableNumbers::Touched& touched : variables.touched()) {
      visit(touched.address, At(touched.number));
    }
    Forget(variables.gone());
  }
  // Nothing is left of these.
  void Forget(std::span<const uint32_t> gone) {
    for (const uint32_t number : gone) {
      if (State* state = Find(number)) *state = State();
    }
  }

  State& At(uint32_t number) { return states_[number]; }
  // Null when nothing is known of this one.
  State* Find(uint32_t number) { return states_.Find(number); }

 private:
  StateArray<State> states_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_VARIABLE_STATES_H_
