// sched/chess_strategy.h
//
// The part inside the program of a preemption-bounded systematic search
// (Musuvathi and Qadeer, PLDI 2007): behind the prefix that it is given
// (sched/prefix_strategy.h) it does not preempt. The search itself, which makes
// the next prefix from the choices that an execution recorded with all their
// candidates, is outside: explore/plan/chess_planner.h.
//
// Fair: a thread that yields or spins is set aside by the gate, and that is no
// preemption (Musuvathi and Qadeer, PLDI 2008).
//
//   params[0]  bound on preemptions; used by the search only
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_CHESS_STRATEGY_H_
#define FAIRLEAD_SCHED_CHESS_STRATEGY_H_

#include "sched/first_strategy.h"
#include "sched/strategy.h"

namespace fairlead::sched {

class ChessStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override {
    first_.Begin(plan);
  }
  size_t Pick(const Point& point) noexcept override {
    return first_.Pick(point);
  }

 private:
  FirstStrategy first_;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_CHESS_STRATEGY_H_
