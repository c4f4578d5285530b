// sched/randdelay_strategy.h
//
// RandDelay (the comparator of Maple, OOPSLA 2012): threads run side by side,
// and now and then one is held back for a random time. Running side by side is
// a random walk here; a thread that is held back is not chosen for a random
// number of steps unless nobody else could move.
//
//   params[0]  every: one choice in so many holds its thread back
//   params[1]  delay: for 1 to so many steps
//
// Differs from the paper: one delay per 50,000 accesses of up to 50 ms suits
// programs that run for seconds; the defaults are for tests of a few hundred
// steps.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_RANDDELAY_STRATEGY_H_
#define FAIRLEAD_SCHED_RANDDELAY_STRATEGY_H_

#include "sched/record.h"
#include "sched/rng.h"
#include "sched/strategy.h"
#include "sched/thread_table.h"

namespace fairlead::sched {

class RandDelayStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override {
    rng_ = Rng(plan.seed);
    every_ = plan.params[0] == 0 ? 1 : plan.params[0];
    delay_ = plan.params[1] == 0 ? 1 : plan.params[1];
    step_ = 0;
    held_until_.Clear();
  }

  size_t Pick(const Point& point) noexcept override {
    if (IsOption(point)) return rng_.Below(point.enabled.size());
    ++step_;
    const size_t picked = PickFree(point);
    if (rng_.Below(every_) != 0) return picked;
    held_until_[point.enabled[picked].tid] = step_ + 1 + rng_.Below(delay_);
    return PickFree(point);
  }

 private:
  bool IsFree(Tid tid) noexcept { return held_until_[tid] <= step_; }

  // Any thread that is not held back; if all are, the one that is free first.
  size_t PickFree(const Point& point) noexcept {
    size_t num_free = 0;
    size_t soonest = 0;
    for (size_t i = 0; i < point.enabled.size(); ++i) {
      if (IsFree(point.enabled[i].tid)) ++num_free;
      if (held_until_[point.enabled[i].tid] <
          held_until_[point.enabled[soonest].tid]) {
        soonest = i;
      }
    }
    if (num_free == 0) return soonest;
    uint64_t left = rng_.Below(num_free);
    for (size_t i = 0;; ++i) {
      if (IsFree(point.enabled[i].tid) && left-- == 0) return i;
    }
  }

  Rng rng_;
  uint64_t every_ = 1;
  uint64_t delay_ = 1;
  uint64_t step_ = 0;                 // choices between threads so far
  ThreadTable<uint64_t> held_until_;  // step; 0 = never held back
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_RANDDELAY_STRATEGY_H_
