// order/variables.h
//
// What is known of the program's variables (order/variable_cells.h), byte by
// byte but not one record per byte: each has one State. When one is split, both
// parts go on with what was known.
//
// State: default-constructible (nothing known), copyable.

#ifndef FAIRLEAD_ORDER_VARIABLES_H_
#define FAIRLEAD_ORDER_VARIABLES_H_

#include <cstdint>
#include <type_traits>

#include "order/state_array.h"
#include "order/variable_cells.h"

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
    cells_.Touch(
        address, bytes,
        [&](uint64_t first, uint64_t last, uint32_t number) {
          if constexpr (std::is_invocable_v<Visit&, uint64_t, uint64_t,
                                            State&>) {
            visit(first, last, states_[number]);
          } else {
            visit(first, states_[number]);
          }
        },
        [&](uint32_t number, uint32_t rest) {
          states_[rest] = states_[number];
          split(states_[number], states_[rest]);
        });
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
    cells_.Forget(
        address, bytes,
        [&](uint64_t first, uint32_t number) { visit(first, states_[number]); },
        [&](uint32_t number) {
          gone_visit(states_[number]);
          states_[number] = State();
        });
  }

  // Calls `visit(address, state)` for every variable, with its first byte.
  template <typename Visit>
  void ForEach(Visit visit) {
    cells_.ForEach([&](uint64_t address, uint32_t number) {
      visit(address, states_[number]);
    });
  }

  // The variable that this byte belongs to, or null.
  State* Find(uint64_t address) {
    const uint32_t number = cells_.Find(address);
    return number == 0 ? nullptr : &states_[number];
  }

  // Those that are known of now.
  size_t num_variables() const { return cells_.num_variables(); }

 private:
  VariableCells cells_;
  StateArray<State> states_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_VARIABLES_H_
