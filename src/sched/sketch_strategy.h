// sched/sketch_strategy.h
//
// Follows a sketch: a schedule of which only those choices are kept that differ
// from not preempting. What it does not name is decided as by `first`, and what
// it names but cannot be had is left out: nothing here diverges, so that
// records may be dropped and moved (explore/explain/minimise.h).
//
//   place    a thread and how often it has come to the gate, as in a schedule;
//            where another site is found there than the record names, the next
//            coming to that site, if it is within kSlack
//   order    records of one thread by count; of several threads it means
//            nothing, since each waits for its own thread
//
// The records are sorted by thread (`left`) and count. Of records at one place,
// those of options come first.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_SKETCH_STRATEGY_H_
#define FAIRLEAD_SCHED_SKETCH_STRATEGY_H_

#include "sched/first_strategy.h"
#include "sched/strategy.h"
#include "sched/thread_table.h"

namespace fairlead::sched {

class SketchStrategy final : public Strategy {
 public:
  // A thread that does a little less or more than it did, since somebody else
  // went on elsewhere, is found again.
  static constexpr uint32_t kSlack = 64;

  void Begin(const ExecutionPlan& plan) noexcept override {
    records_ = plan.choices;
    next_.Clear();
    first_.Begin(plan);
  }

  size_t Pick(const Point& point) noexcept override;

 private:
  // The record that is meant at `point`, of an option or of a switch; null =
  // none. It is used up.
  const abi::ChoiceRecord* Take(const Point& point, bool option) noexcept;
  // The first record of `tid`.
  uint32_t BeginOf(Tid tid) const noexcept;

  std::span<const abi::ChoiceRecord> records_;
  ThreadTable<uint32_t> next_;  // by thread: the record ahead, plus one
  FirstStrategy first_;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_SKETCH_STRATEGY_H_
