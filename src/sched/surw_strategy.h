// sched/surw_strategy.h
//
// Selectively uniform random walk (Zhao, Wolff, Mathur and Roychoudhury, ASPLOS
// 2025). A walk that chooses threads by the number of operations that each has
// ahead gives every interleaving the same probability, where an even choice
// favours those in which short threads run early. Uniform over everything would
// waste it on operations that do not matter, so only a subset is of interest:
// who does the next of these is drawn by weight (the *intended* thread); other
// threads that come to one wait for it, and everything else is a random walk.
//
//   params[0]       mask: sites of which buckets (abi::OperationBucket) are of
//                   interest; all bits = every operation
//   plan.weights    operations of interest by thread, learnt from earlier
//                   executions with the same mask, a thread's own and those of
//                   the threads that it will create. Empty = a random walk
//
// Differs from the paper: operations that happen while nobody else could move
// are not shown, and do not lessen the weight of their thread.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_SURW_STRATEGY_H_
#define FAIRLEAD_SCHED_SURW_STRATEGY_H_

#include "sched/rng.h"
#include "sched/strategy.h"
#include "sched/thread_table.h"

namespace fairlead::sched {

class SurwStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override;
  size_t Pick(const Point& point) noexcept override;

 private:
  struct Ahead {
    uint32_t weight;
    bool met;  // its weight has been taken from its parent's
  };

  bool IsOfInterest(const Candidate& c) const noexcept {
    return (mask_ >> abi::OperationBucket(c.site) & 1) != 0;
  }
  void Meet(Tid tid) noexcept;
  void Intend(const Point& point) noexcept;
  uint64_t Weight(const Candidate& c) noexcept;

  Rng rng_;
  uint64_t mask_ = 0;
  std::span<const abi::WeightRecord> weights_;
  Tid intended_ = Tid::kNone;  // does the next operation of interest
  ThreadTable<Ahead> ahead_;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_SURW_STRATEGY_H_
