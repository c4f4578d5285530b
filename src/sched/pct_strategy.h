// sched/pct_strategy.h
//
// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and
// Nagarakatte, ASPLOS 2010). Every thread has a random priority, and the
// highest enabled one runs. At c random steps (sched/change_points.h) the
// thread that would run gets a priority below all initial ones, so that others
// overtake it there.
//
// A bug that needs c preemptions at given places, in a program of n threads and
// k steps, comes up with probability at least 1 / (n k^c): n for the thread
// that must be first or last, k for each place.
//
//   params[0]  c
//   params[1]  k, from earlier executions; 0 = not known, no change points
//
// Differs from the paper: steps are the choices shown; threads draw their
// priority when they are first seen, since their number is not known before;
// and threads that spin are set aside by the gate (sched/fairness.h), where the
// paper lowers a thread that runs for long.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_PCT_STRATEGY_H_
#define FAIRLEAD_SCHED_PCT_STRATEGY_H_

#include "sched/change_points.h"
#include "sched/record.h"
#include "sched/rng.h"
#include "sched/strategy.h"
#include "sched/thread_table.h"

namespace fairlead::sched {

class PctStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override {
    rng_ = Rng(plan.seed);
    change_points_.Draw(plan.params[0], plan.params[1], rng_);
    priority_.Clear();
  }

  size_t Pick(const Point& point) noexcept override {
    if (IsOption(point)) return rng_.Below(point.enabled.size());
    const size_t best = Highest(point);
    const uint64_t change = change_points_.Pass();
    if (change == ChangePoints::kNone) return best;
    priority_[point.enabled[best].tid] = change;
    return Highest(point);
  }

 private:
  static constexpr uint64_t kUndrawn = 0;
  // Initial priorities have it, lowered ones do not.
  static constexpr uint64_t kInitial = uint64_t{1} << 63;

  size_t Highest(const Point& point) noexcept {
    size_t best = 0;
    uint64_t highest = 0;
    for (size_t i = 0; i < point.enabled.size(); ++i) {
      uint64_t& priority = priority_[point.enabled[i].tid];
      if (priority == kUndrawn) priority = rng_.Next() | kInitial;
      if (priority <= highest) continue;
      highest = priority;
      best = i;
    }
    return best;
  }

  Rng rng_;
  ChangePoints change_points_;
  ThreadTable<uint64_t> priority_;  // kUndrawn = not seen yet
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_PCT_STRATEGY_H_
