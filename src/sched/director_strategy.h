// sched/director_strategy.h
//
// Realises a target: a few steps of a few threads, under a partial order
// (abi/target.h). It never blocks a thread; it prefers others. At every point
// each thread that could move is one of
//
//   in place    stands at a step whose predecessors are done, and what must
//               follow at once is in sight: goes on before anybody else
//   free        has nothing to do with the target as it stands
//   spent       has done a step that another thread must follow
//   ready       as in place, but what must follow is not in sight yet
//   waiting     stands at a step, or at its hold-at place, before its turn
//   disturbing  would touch an object that a window keeps for somebody else
//
// and the first kind that is there, in this order, is asked; among several of
// one kind a base strategy chooses. So a held thread moves when all others wait
// or are held too, and no program can hang. When that breaks the target's order
// or a window, the attempt starts over with the threads and objects to come.
//
// The base changes with the attempt (plan.params[0]): 0 prefers older threads,
// 1 younger ones, the others draw a random preference, as complementary
// schedules reach steps that one of them cannot. After the last step, and for a
// plan without a target, the base decides alone.
//
// Follows the active scheduler of Maple (Yu, Narayanasamy, Pereira and Pokam,
// OOPSLA 2012).
// Differs from the paper: any number of steps under any partial order; a thread
// is held by not being preferred, since there are no priorities of an operating
// system; a step whose object is not the one awaited may pass uncounted by a
// random choice, where the paper arbitrates between instances.
//
// Unsound: values, calling contexts and distances are not looked at; objects
// are compared by their first byte; `free` is no point, so a thread cannot be
// held there, only at a point before it.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_DIRECTOR_STRATEGY_H_
#define FAIRLEAD_SCHED_DIRECTOR_STRATEGY_H_

#include "abi/target.h"
#include "sched/rng.h"
#include "sched/strategy.h"
#include "sched/thread_table.h"

namespace fairlead::sched {

class DirectorStrategy final : public Strategy {
 public:
  void Begin(const ExecutionPlan& plan) noexcept override;
  size_t Pick(const Point& point) noexcept override;
  bool WatchesAll() const noexcept override { return true; }

 private:
  using Steps = uint16_t;  // set of steps, by index
  // In the order in which they are preferred.
  enum class Standing : uint8_t {
    kInPlace,
    kFree,
    kSpent,
    kReady,
    kWaiting,
    kDisturbing,
  };
  static constexpr size_t kNumStandings = 6;
  static constexpr size_t kNoStep = abi::kMaxTargetSteps;
  static constexpr Steps Bit(size_t step) {
    return static_cast<Steps>(1u << step);
  }

  const abi::TargetStepRecord& step(size_t index) const {
    return target_->steps[index];
  }
  bool Done(Steps steps) const {
    return (target_->progress.done & steps) == steps;
  }
  void Prepare() noexcept;
  void StartOver() noexcept;

  // Whether `candidate` could be step `s`, by role, object, site and operation.
  bool Fits(size_t s, const Candidate& candidate) const noexcept;
  bool ThreadFits(size_t s, Tid tid) const noexcept;
  // Steps that `candidate` stands at, in this attempt; those done left out.
  Steps StepsAt(const Candidate& candidate) noexcept;
  // Whether somebody in `point` stands at what must directly follow `s`, if
  // something must, on the object of `candidate`.
  bool FollowersInSight(size_t s, const Candidate& candidate,
                        const Point& point) const noexcept;
  // Whether `candidate`, done as step `as` or as no step of the target, touches
  // an object that an open window keeps for another step.
  bool Disturbs(const Candidate& candidate, size_t as) const noexcept;
  bool Held(const Candidate& candidate) const noexcept;
  bool BreaksOrder(const Candidate& candidate) noexcept;
  bool Spent(Tid tid) const noexcept;
  Standing Judge(const Point& point, const Candidate& candidate,
                 size_t* of) noexcept;

  Standing Preferred(const bool (&present)[kNumStandings]) noexcept;
  // Among the candidates of one standing; of all when it is null.
  size_t AskBase(const Point& point, const Standing* only) noexcept;
  uint64_t Preference(Tid tid) noexcept;
  // `candidate` is about to go on.
  void Note(const Candidate& candidate, Standing standing, size_t of) noexcept;
  void Do(size_t s, const Candidate& candidate) noexcept;

  // A held thread has waited for this many choices: long enough for others to
  // come from anywhere in a small program, short enough that one that polls
  // forever does not use up the limit of steps.
  static constexpr uint32_t kPatience = 20'000;

  abi::TargetRecord* target_ = nullptr;  // null = nothing to realise
  Rng rng_;
  uint64_t attempt_ = 0;
  uint32_t waited_ = 0;  // choices since somebody was held
  // By step: what must be done before (all, or without soft edges).
  Steps predecessors_[abi::kMaxTargetSteps];
  Steps hard_predecessors_[abi::kMaxTargetSteps];
  // By step: earlier steps of its own thread.
  Steps own_before_[abi::kMaxTargetSteps];
  // By step: steps of other threads that must come after.
  Steps followers_[abi::kMaxTargetSteps];
  // By role; kNone = not bound yet in this attempt.
  Tid thread_of_[abi::kMaxTargetSteps];
  ObjId object_of_[abi::kMaxTargetSteps];

  struct Passes {
    uint16_t of_step[abi::kMaxTargetSteps];
  };
  // How often each thread has passed the site of each step.
  ThreadTable<Passes> passes_;
  ThreadTable<uint64_t> preference_;  // 0 = not drawn yet

  // For the point at hand, by candidate.
  Standing standing_[kMaxThreads];
  uint8_t step_of_[kMaxThreads];
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_DIRECTOR_STRATEGY_H_
