#include "order/variable_states.h"

namespace fairlead::order {

void VariableNumbers::Look(const Event& event) {
  num_touched_ = 0;
  cells_.Touch(
      event.address, event.size,
      [&](uint64_t address, uint64_t, uint32_t number) {
        Add(address, number);
      },
      [&](uint32_t from, uint32_t to) { splits_.push_back({from, to}); });
}

void VariableNumbers::OnOther(const Event& event) {
  splits_.clear();
  gone_.clear();
  num_touched_ = 0;
  if (EndsMemory(event.kind)) {
    cells_.Forget(
        event.address, event.value,
        [&](uint64_t address, uint32_t number) { Add(address, number); },
        [&](uint32_t number) { gone_.push_back(number); });
  }
}

}  // namespace fairlead::order
