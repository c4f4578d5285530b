// order/state_array.h
//
// A state for each number, in chunks that are made when first asked for.
// References hold for good.
//
// State: default-constructible (nothing known).

#ifndef FAIRLEAD_ORDER_STATE_ARRAY_H_
#define FAIRLEAD_ORDER_STATE_ARRAY_H_

#include <cstdint>
#include <memory>
#include <vector>

namespace fairlead::order {

template <typename State>
class StateArray {
 public:
  State& operator[](uint32_t number) {
    if (number / kChunk >= chunks_.size()) Grow(number);
    return chunks_[number / kChunk][number % kChunk];
  }
  // Null when nothing was asked of this one or any near it.
  State* Find(uint32_t number) {
    if (number / kChunk >= chunks_.size()) return nullptr;
    return &chunks_[number / kChunk][number % kChunk];
  }

 private:
  // A power of two, so that a number is split by shifts; small, since there are
  // tables with one entry.
  static constexpr uint32_t kChunk = 64;

  [[gnu::noinline]] void Grow(uint32_t number) {
    while (number / kChunk >= chunks_.size()) {
      chunks_.push_back(std::make_unique<State[]>(kChunk));
    }
  }

  std::vector<std::unique_ptr<State[]>> chunks_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_STATE_ARRAY_H_
