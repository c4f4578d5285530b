// sched/own_touches.h
//
// What a thread has touched since it did a step: for targets in which it may
// touch neither the object of that step nor that of a later one before it gets
// there. Which object the later one has is known only then (Maple, 4.7).
//
// Unsound: of more than kMost ranges, the first are kept. A window of 1,000
// instructions rarely has more.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_OWN_TOUCHES_H_
#define FAIRLEAD_SCHED_OWN_TOUCHES_H_

#include "sched/strategy.h"

namespace fairlead::sched {

class OwnTouches {
 public:
  void Clear() noexcept { used_ = 0; }

  void Add(const Candidate& did) noexcept {
    if (did.object == ObjId::kNone || Has(did) || used_ == kMost) return;
    ranges_[used_++] = RangeOf(did);
  }

  // Whether one of them shares a byte with what `candidate` would touch.
  bool Has(const Candidate& candidate) const noexcept {
    const Range range = RangeOf(candidate);
    for (size_t i = 0; i < used_; ++i) {
      if (range.begin < ranges_[i].end && ranges_[i].begin < range.end) {
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr size_t kMost = 128;
  struct Range {
    uint64_t begin;
    uint64_t end;
  };
  static Range RangeOf(const Candidate& candidate) noexcept {
    const auto begin = static_cast<uint64_t>(candidate.object);
    return {begin, begin + (candidate.bytes == 0 ? 1 : candidate.bytes)};
  }

  Range ranges_[kMost];
  size_t used_ = 0;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_OWN_TOUCHES_H_
