// sched/pctlarge_strategy.h
//
// PCTLarge (Yu, Narayanasamy, Pereira and Pokam, Maple, OOPSLA 2012): PCT with
// priorities that are no strict order but shares, like nice values. A thread of
// a higher priority goes on more often, and no thread waits forever; there are
// many more switches than with PCT.
//
//   params[0]  c, change points; there the thread falls to the lowest share
//   params[1]  k, see pct
//
// Differs from the paper: a share is a probability at each choice, where Linux
// gives slices of time.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_PCTLARGE_STRATEGY_H_
#define FAIRLEAD_SCHED_PCTLARGE_STRATEGY_H_

#include "sched/change_points.h"
#include "sched/record.h"
#include "sched/rng.h"
#include "sched/strategy.h"
#include "sched/thread_table.h"

namespace fairlead::sched {

class PctLargeStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override {
    rng_ = Rng(plan.seed);
    change_points_.Draw(plan.params[0], plan.params[1], rng_);
    share_.Clear();
  }

  size_t Pick(const Point& point) noexcept override {
    if (IsOption(point)) return rng_.Below(point.enabled.size());
    const size_t drawn = Draw(point);
    if (change_points_.Pass() == ChangePoints::kNone) return drawn;
    share_[point.enabled[drawn].tid] = kLowestShare;
    return Draw(point);
  }

 private:
  static constexpr uint64_t kUndrawn = 0;

  // Nice values 19 to -20: each step up is a quarter more, from 15 to about
  // 90,000.
  static constexpr uint64_t kLowestShare = 15;
  static constexpr uint64_t kNumLevels = 40;
  static constexpr uint64_t ShareOf(uint64_t level) {
    uint64_t share = kLowestShare << 16;
    for (uint64_t i = 0; i < level; ++i) share += share / 4;
    return share >> 16;
  }

  uint64_t Share(Tid tid) noexcept {
    uint64_t& share = share_[tid];
    if (share == kUndrawn) share = ShareOf(rng_.Below(kNumLevels));
    return share;
  }

  size_t Draw(const Point& point) noexcept {
    uint64_t total = 0;
    for (const Candidate& c : point.enabled) total += Share(c.tid);
    uint64_t left = rng_.Below(total);
    size_t i = 0;
    for (; left >= Share(point.enabled[i].tid); ++i) {
      left -= Share(point.enabled[i].tid);
    }
    return i;
  }

  Rng rng_;
  ChangePoints change_points_;
  ThreadTable<uint64_t> share_;  // kUndrawn = not seen yet
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_PCTLARGE_STRATEGY_H_
