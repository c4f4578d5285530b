// sched/replay_strategy.h
//
// Follows a schedule: at the places that its records name (a thread, and how
// often it has come to the gate) it switches as recorded, everywhere else the
// running thread goes on. The execution *diverges* when a record cannot be
// carried out:
//
//   - its thread has come past the place without being asked there
//   - its thread stands there at another site, or came there another way
//   - the thread that should go on is not enabled
//   - the running thread cannot go on, and no record says who does
//
// The first divergence is written to `plan.following`; from then on choices are
// those of `first`, so that an execution that nobody stops still ends.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_REPLAY_STRATEGY_H_
#define FAIRLEAD_SCHED_REPLAY_STRATEGY_H_

#include "sched/first_strategy.h"
#include "sched/record.h"
#include "sched/strategy.h"

namespace fairlead::sched {

class ReplayStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override {
    choices_ = plan.choices;
    following_ = plan.following != nullptr ? plan.following : &own_;
    *following_ = {};
    first_.Begin(plan);
  }

  size_t Pick(const Point& point) noexcept override;

  // Whether there is nothing left to follow.
  bool done() const {
    return following_->parted || following_->followed == choices_.size();
  }

 private:
  size_t PickUnrecorded(const Point& point) noexcept;
  size_t PickRecorded(const Point& point,
                      const abi::ChoiceRecord& wanted) noexcept;
  size_t PickOffered(const Point& point,
                     const abi::ChoiceRecord& wanted) noexcept;
  size_t Part(const Point& point) noexcept;

  std::span<const abi::ChoiceRecord> choices_;
  Following* following_ = &own_;
  Following own_;
  FirstStrategy first_;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_REPLAY_STRATEGY_H_
