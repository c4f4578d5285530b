// sched/pos_strategy.h
//
// Partial order sampling (Yuan, Yang and Gu, CAV 2018). Every pending operation
// has a random priority and the highest goes first; the operations that
// conflict with it then draw again. So each race is decided by a coin of its
// own, and operations that do not matter to each other do not waste any.
//
// Differs from the paper: an operation that happens while nobody else could
// move is not shown to strategies, and those that conflict with it keep their
// priority.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_POS_STRATEGY_H_
#define FAIRLEAD_SCHED_POS_STRATEGY_H_

#include "sched/conflict.h"
#include "sched/record.h"
#include "sched/rng.h"
#include "sched/strategy.h"
#include "sched/thread_table.h"

namespace fairlead::sched {

class PosStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override {
    rng_ = Rng(plan.seed);
    pending_.Clear();
  }

  size_t Pick(const Point& point) noexcept override {
    if (IsOption(point)) return rng_.Below(point.enabled.size());
    size_t best = 0;
    uint64_t highest = 0;
    for (size_t i = 0; i < point.enabled.size(); ++i) {
      const uint64_t priority = Priority(point.enabled[i]);
      if (priority <= highest) continue;
      highest = priority;
      best = i;
    }
    Happened(point, point.enabled[best]);
    return best;
  }

 private:
  static constexpr uint64_t kUndrawn = 0;

  struct Pending {
    uint64_t priority;  // kUndrawn = draw when asked
    ObjId object;       // of the operation that the priority is for
    SiteId site;
    Op op;
  };

  uint64_t Priority(const Candidate& c) noexcept {
    Pending& pending = pending_[c.tid];
    const bool same = pending.object == c.object && pending.site == c.site &&
                      pending.op == c.next;
    if (pending.priority == kUndrawn || !same) {
      pending = {rng_.NextNonZero(), c.object, c.site, c.next};
    }
    return pending.priority;
  }

  void Happened(const Point& point, const Candidate& chosen) noexcept {
    pending_[chosen.tid].priority = kUndrawn;
    for (const Candidate& c : point.enabled) {
      if (Conflict(c, chosen)) pending_[c.tid].priority = kUndrawn;
    }
  }

  Rng rng_;
  ThreadTable<Pending> pending_;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_POS_STRATEGY_H_
