// order/vector_clock.h
//
// Vector clocks and epochs. A clock says, for every thread, how many of its
// segments are known to be over; a segment ends where the thread releases
// something. An epoch names one segment of one thread, and stands for every
// event in it (FastTrack: Flanagan and Freund, PLDI 2009).

#ifndef FAIRLEAD_ORDER_VECTOR_CLOCK_H_
#define FAIRLEAD_ORDER_VECTOR_CLOCK_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "abi/ids.h"

namespace fairlead::order {

using abi::Tid;

// A segment of a thread; 0 = before all segments, and so before everything.
// 16 bits of thread above 48 of number: 2^48 releases take years.
class Epoch {
 public:
  constexpr Epoch() = default;
  constexpr Epoch(Tid tid, uint64_t number)
      : bits_(static_cast<uint64_t>(abi::Index(tid)) << 48 | number) {}

  constexpr Tid tid() const { return Tid{static_cast<uint16_t>(bits_ >> 48)}; }
  constexpr uint64_t number() const { return bits_ & kNumberMask; }
  constexpr bool known() const { return number() != 0; }
  constexpr bool operator==(const Epoch&) const = default;

 private:
  static constexpr uint64_t kNumberMask = (uint64_t{1} << 48) - 1;
  uint64_t bits_ = 0;
};

class VectorClock {
 public:
  uint64_t Of(Tid tid) const {
    const size_t index = abi::Index(tid);
    return index < numbers_.size() ? numbers_[index] : 0;
  }

  // Whether the segment, and so every event in it, is ordered before what this
  // clock belongs to.
  bool Covers(Epoch epoch) const { return epoch.number() <= Of(epoch.tid()); }

  void Set(Tid tid, uint64_t number) {
    const size_t index = abi::Index(tid);
    if (index >= numbers_.size()) numbers_.resize(index + 1);
    numbers_[index] = number;
  }

  // True when it changed something.
  bool Join(const VectorClock& other) {
    if (other.numbers_.size() > numbers_.size()) {
      numbers_.resize(other.numbers_.size());
    }
    uint64_t changed = 0;
    for (size_t i = 0; i < other.numbers_.size(); ++i) {
      const uint64_t joined = std::max(numbers_[i], other.numbers_[i]);
      changed |= joined ^ numbers_[i];
      numbers_[i] = joined;
    }
    return changed != 0;
  }

  void Clear() { numbers_.clear(); }
  bool empty() const { return numbers_.empty(); }

 private:
  std::vector<uint64_t> numbers_;  // by thread; beyond the end: 0
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_VECTOR_CLOCK_H_
