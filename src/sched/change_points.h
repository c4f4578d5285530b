// sched/change_points.h
//
// The steps at which `pct` and its variants lower a priority: c of them, each
// drawn from the k steps that an execution is expected to have. Counted are the
// choices that a strategy is shown: where a single thread could move, being
// preempted means nothing, so k is smaller than the number of accesses, and the
// chance to hit the right step larger.
//
// Papers count differently: a bug of depth d needs d - 1 change points (PCT),
// Maple's text speaks of d of them. We name c itself.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_CHANGE_POINTS_H_
#define FAIRLEAD_SCHED_CHANGE_POINTS_H_

#include <stddef.h>
#include <stdint.h>

#include "sched/rng.h"

namespace fairlead::sched {

// More than any bug that one would look for this way: the guarantee is
// 1 / (n k^c).
inline constexpr uint64_t kMaxChangePoints = 64;

class ChangePoints {
 public:
  static constexpr uint64_t kNone = 0;

  // None when k is 0, that is, not known yet.
  void Draw(uint64_t c, uint64_t k, Rng& rng) noexcept {
    step_ = 0;
    num_ = k == 0 ? 0 : (c < kMaxChangePoints ? c : kMaxChangePoints);
    for (size_t i = 0; i < num_; ++i) at_[i] = rng.Below(k);
  }

  // Passes a step. The number of the change point there, from 1 in the order in
  // which they were drawn; or kNone. Two at one step count as the first.
  uint64_t Pass() noexcept {
    const uint64_t step = step_++;
    for (size_t i = 0; i < num_; ++i) {
      if (at_[i] == step) return i + 1;
    }
    return kNone;
  }

 private:
  uint64_t step_ = 0;
  size_t num_ = 0;
  uint64_t at_[kMaxChangePoints];
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_CHANGE_POINTS_H_
