// order/variable_states.h
//
// The variables that an event touches, found once for all analyses
// (VariableNumbers, in the order model), and what one analysis knows of each
// (VariableStates).
//
// A variable is a set of bytes that were always touched together
// (order/variables.h), and has a number while it is alive. One that is split
// gives what is known of it to both parts.

#ifndef FAIRLEAD_ORDER_VARIABLE_STATES_H_
#define FAIRLEAD_ORDER_VARIABLE_STATES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "order/access.h"
#include "order/variables.h"

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

  void OnEvent(const Event& event) {
    touched_.clear();
    if (!splits_.empty()) splits_.clear();
    if (!gone_.empty()) GiveBackGone();
    if (AccessOf(event) != AccessKind::kNone) {
      variables_.Touch(
          event.address, event.size,
          [&](uint64_t address, uint32_t& number) {
            if (number == 0) number = New();
            touched_.push_back({address, number});
          },
          [&](uint32_t& from, uint32_t& to) {
            to = New();
            splits_.push_back({from, to});
          });
    } else if (EndsMemory(event.kind)) {
      variables_.Forget(
          event.address, event.value,
          [&](uint64_t address, uint32_t& number) {
            touched_.push_back({address, number});
          },
          [&](uint32_t& number) { gone_.push_back(number); });
    }
  }

  // Of the event: those that an access touches, or that end wholly or in part.
  std::span<const Touched> touched() const { return touched_; }
  // In the order in which they happened, ahead of all that is touched.
  std::span<const Split> splits() const { return splits_; }
  // Nothing is left of these.
  std::span<const uint32_t> gone() const { return gone_; }

 private:
  uint32_t New() {
    if (free_.empty()) return next_++;
    const uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void GiveBackGone() {
    free_.insert(free_.end(), gone_.begin(), gone_.end());
    gone_.clear();
  }

  Variables<uint32_t> variables_;  // 0 = no number yet
  std::vector<Touched> touched_;
  std::vector<Split> splits_;
  std::vector<uint32_t> gone_;
  std::vector<uint32_t> free_;
  uint32_t next_ = 1;
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
    for (const uint32_t number : variables.gone()) At(number) = State();
  }

 private:
  // A power of two, so that a number is split by shifts.
  static constexpr uint32_t kChunk = 64;

  State& At(uint32_t number) {
    while (number / kChunk >= chunks_.size()) {
      chunks_.push_back(std::make_unique<State[]>(kChunk));
    }
    return chunks_[number / kChunk][number % kChunk];
  }

  std::vector<std::unique_ptr<State[]>> chunks_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_VARIABLE_STATES_H_
