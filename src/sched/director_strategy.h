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
// Where nobody can be held, at a free in a library, and while a thread is
// alone, the director is told what happens (Saw). When everybody is held and
// threads wait for the world outside, it waits for that first, for a while.
//
//   params[0]  attempt: without another base, 0 prefers older threads, 1
//              younger ones, and later ones draw a random preference (where a
//              block is freed, they go on by turns, and wait at later passes),
//              as complementary schedules reach steps that one of them cannot;
//              with kArbitrates besides, if the first two attempts arbitrate,
//              too; with kOnlyHolds, who waits for its turn is held, and the
//              base chooses among all others: the order is forced, and nothing
//              else
//   params[1]  the base: a StrategyId; 0 = by attempt
//   params[2…] the base's own params
//
// After the last step, when it has given up, and for a plan without a target,
// the base decides alone. It gives up when the order broke kMaxRestarts times.
//
// Choices other than between threads: a sleeping thread may go on at once, as
// any other; all else is as in an ordinary execution for the first two
// attempts, and random for later ones.
//
// Follows the active scheduler of Maple (Yu, Narayanasamy, Pereira and Pokam,
// OOPSLA 2012).
// Differs from the paper: any number of steps under any partial order; a thread
// is held by not being preferred, since there are no priorities of an operating
// system. Between dynamic instances of a step it arbitrates as in the paper:
// one that has no follower in sight, while another thread stands at such a step
// as well or at one that is to follow, passes uncounted with probability 1/2,
// once part of the target is done with 1/5; attempts beyond the first two do so
// also where nobody stands there, and in every other of them the first step of
// all passes with 1/2. Who of several in place is first, and who goes on behind
// the last step, is drawn anew; not at every point, or what is wrong elsewhere
// would count as its doing.
//
// Unsound: a free that a library makes, or realloc, is no point: a thread
// cannot be held there, only at its hold-at place or by preferring others.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_DIRECTOR_STRATEGY_H_
#define FAIRLEAD_SCHED_DIRECTOR_STRATEGY_H_

#include "abi/target.h"
#include "sched/factory.h"
#include "sched/insight.h"
#include "sched/own_touches.h"
#include "sched/rng.h"
#include "sched/strategy.h"
#include "sched/target_match.h"
#include "sched/thread_table.h"

namespace fairlead::sched {

// Whether a strategy can decide underneath a director: not those that follow a
// schedule, and not a director.
constexpr bool CanBeBase(StrategyId id) {
  switch (id) {
    case StrategyId::kReplay:
    case StrategyId::kPrefix:
    case StrategyId::kChess:
    case StrategyId::kDirector:
    case StrategyId::kSketch:
      return false;
    default:
      return true;
  }
}

class DirectorStrategy final : public Strategy {
 public:
  // To be added to the number of the attempt.
  static constexpr uint64_t kArbitrates = uint64_t{1} << 32;

  // Likewise.
  static constexpr uint64_t kOnlyHolds = uint64_t{1} << 33;

  void Begin(const ExecutionPlan& plan) noexcept override;
  size_t Pick(const Point& point) noexcept override;
  bool WatchesAll() const noexcept override { return true; }
  void Saw(const Candidate& did) noexcept override;
  bool AwaitsOutside(const Point& point) noexcept override;
  void OthersThanSpinning(const Point& others) noexcept override;

 private:
  using Steps = TargetMatch::Steps;
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
  static constexpr Steps Bit(size_t step) { return TargetMatch::Bit(step); }

  const abi::TargetStepRecord& step(size_t index) const {
    return target_->steps[index];
  }
  bool Done(Steps steps) const {
    return (target_->progress.done & steps) == steps;
  }
  // Nothing is left to do: the base decides alone.
  bool Idle() const {
    return target_ == nullptr || target_->progress.success != 0 ||
           target_->progress.given_up != abi::TargetGivenUp::kNot;
  }
  void Prepare() noexcept;
  void PrepareBase(const ExecutionPlan& plan) noexcept;
  void StartOver() noexcept;

  // Steps that `candidate` stands at, in this attempt; those done left out.
  Steps StepsAt(const Candidate& candidate) noexcept;
  // Whether the thread's next pass over the step's site is the one meant.
  bool OccurrenceFits(size_t s, Tid tid) noexcept;
  // Whether somebody in `point` stands at what must directly follow `s`, if
  // something must, on the object of `candidate`.
  bool FollowersInSight(size_t s, const Candidate& candidate,
                        const Point& point) noexcept;
  // Whether `candidate`, done as step `as` or as no step of the target, touches
  // an object that an open window keeps for another step.
  bool Disturbs(const Candidate& candidate, size_t as) const noexcept;
  bool ElsewhereThan(size_t s, const Candidate& candidate,
                     const Point& point) noexcept;
  bool LetsPass(size_t s, Tid tid) noexcept;
  void KeepWaiting(const Point& point) noexcept;
  // Whether a thread is held at what must follow `s`, on what `did` ends, or at
  // the place where it should wait for that.
  bool WaitedFor(size_t s, const Candidate& did) noexcept;
  // Whether a free, as step `s`, is not the one that is meant.
  bool IsOfNoUse(size_t s, const Candidate& did) noexcept;
  // Whether one is held at what must follow `s`, but on another block, and
  // nobody on the block that `did` frees.
  bool AnotherIsHeld(size_t s, const Candidate& did) noexcept;
  bool FreesPass() const noexcept { return attempt_ < 2; }
  bool WaitsInABlock(size_t s) const noexcept;
  bool Held(const Candidate& candidate) noexcept;
  // Whether everybody in `point` is held, and somebody is.
  bool HoldsAll(const Point& point) noexcept;
  // Whether its thread has touched the object of `s` since a step behind which
  // it must not.
  bool TouchedBefore(size_t s, const Candidate& candidate) const noexcept;
  bool BreaksOrder(const Candidate& candidate) noexcept;
  bool Spent(Tid tid) const noexcept;
  // `point` may be null: then followers count as in sight.
  Standing Judge(const Point* point, const Candidate& candidate,
                 size_t* of) noexcept;

  // Looks at what has happened since the last choice.
  void CatchUp(const Point& point) noexcept;
  void CheckWrite() noexcept;
  void CheckDistances() noexcept;
  void Arrived(const Candidate& candidate) noexcept;
  void ArrivedBefore() noexcept;

  // What a standing counts as when somebody is chosen.
  Standing GroupOf(Standing standing) const noexcept {
    const bool others = only_holds_ && standing <= Standing::kReady;
    return others ? Standing::kFree : standing;
  }
  Standing Preferred(const bool (&present)[kNumStandings]) noexcept;
  // Among the candidates of one standing; of all when it is null.
  size_t AskBase(const Point& point, const Standing* only) noexcept;
  // `tid` is preferred, out of so many.
  void TakeTurn(Tid tid, size_t num_shown) noexcept;
  size_t PickOption(const Point& point) noexcept;
  uint64_t Preference(Tid tid) noexcept;
  // `candidate` is about to go on.
  void Note(const Candidate& candidate, Standing standing, size_t of) noexcept;
  bool PassesBy(size_t s) noexcept;
  // Whether another thread of the point at hand stands at step `s`, too, or at
  // one that is to follow it, with whatever object.
  bool HasAlternative(size_t s, Tid tid) const noexcept;
  // Whether `s` holds up a step that is to follow one that is done: of two
  // threads that must both act before either goes on.
  bool HoldsUp(size_t s) const noexcept;
  // The first step that the thread of `s` has to do before it can stand there.
  size_t FirstUndone(size_t s) const noexcept;
  void Do(size_t s, const Candidate& candidate) noexcept;
  void Succeed() noexcept;

  // A held thread has waited for this many choices: long enough for others to
  // come from anywhere in a small program, short enough that one that polls
  // forever does not use up the limit of steps.
  static constexpr uint32_t kPatience = 20'000;
  // Choices in a row after which a thread stands back, if others could go on:
  // several times what a thread of a small program does in all.
  static constexpr uint32_t kTurn = 5'000;
  // An order that broke this often is not going to hold: from then on the
  // program need not be slowed down.
  static constexpr uint32_t kMaxRestarts = 1000;
  // Real waits for the world outside in one execution, each at most 200 us.
  static constexpr uint32_t kMaxWaits = 1000;

  abi::TargetRecord* target_ = nullptr;  // null = nothing to realise
  const Insight* insight_ = nullptr;
  TargetMatch match_;
  Rng rng_;
  uint64_t attempt_ = 0;
  bool only_holds_ = false;
  bool arbitrates_ = false;       // in the first two attempts as well
  const Point* point_ = nullptr;  // at hand; null = nobody is asked
  uint32_t waited_ = 0;           // choices since somebody was held
  Steps required_ = 0;            // without those that only lead there
  // By step: what must be done before (all, or without soft edges).
  Steps predecessors_[abi::kMaxTargetSteps];
  Steps hard_predecessors_[abi::kMaxTargetSteps];
  // By step: earlier steps of its own thread.
  Steps own_before_[abi::kMaxTargetSteps];
  // By step: steps of other threads that must come after.
  Steps followers_[abi::kMaxTargetSteps];
  // By step: instructions of its thread when it was done.
  uint64_t instructions_[abi::kMaxTargetSteps];
  // The edge whose first step's thread may touch neither of two objects until
  // the second; kMaxTargetEdges = none. And what it has touched since.
  size_t apart_ = abi::kMaxTargetEdges;
  OwnTouches own_touches_;
  // By step that counts when its thread stands before it: one that stands there
  // already; none = nobody known.
  Tid stands_at_[abi::kMaxTargetSteps];
  bool has_distances_ = false;
  bool has_arrivals_ = false;
  bool in_blocks_ = false;  // a step lies in a block that another one frees
  // A write that counts only if it wrote the value that its step wants.
  size_t written_ = kNoStep;
  Candidate write_ = {};

  struct Passes {
    uint16_t of_step[abi::kMaxTargetSteps];
  };
  // What each thread did last, but for accesses: who finds that it must wait
  // comes to the gate once more for the same operation, which is one pass. By
  // the last digits of its number: of more threads at once, some may be counted
  // twice.
  struct Did {
    Tid tid;
    uint32_t what;  // hash of site, object and operation
  };
  static constexpr size_t kMostDid = 64;
  Did did_[kMostDid];
  bool IsOneMore(const Candidate& candidate) noexcept;

  // How often each thread has passed the site of each step.
  ThreadTable<Passes> passes_;
  ThreadTable<uint64_t> preference_;  // 0 = not drawn yet
  // How often each thread has been preferred for kTurn choices in a row: those
  // with fewer turns come first, so that one that polls does not keep away the
  // one that it polls for.
  ThreadTable<uint32_t> turns_;
  Tid last_ = Tid::kNone;
  uint32_t in_a_row_ = 0;
  // How often each thread has passed a place where it should have waited.
  ThreadTable<uint32_t> holds_passed_;

  // Who was held at the last choice, for targets about a block that is freed.
  static constexpr size_t kMaxWaiting = 16;
  Candidate waiting_[kMaxWaiting];
  size_t num_waiting_ = 0;
  bool alone_ = true;  // only the first thread has been seen so far
  // Who spins goes on alone, since all others are held.
  // Offers of an execution to let others go ahead of who spins; after so many
  // they are always taken.
  static constexpr uint32_t kMostSpins = 256;
  uint32_t num_spins_ = 0;
  bool spins_on_ = false;

  // For the point at hand, by candidate.
  Standing standing_[kMaxThreads];
  uint8_t step_of_[kMaxThreads];

  Strategy* base_ = nullptr;  // in room_; null = by preference
  Candidate shown_[kMaxThreads];
  uint16_t shown_index_[kMaxThreads];  // of shown_, in the point at hand
  alignas(kStrategyAlignment) unsigned char room_[kBaseStrategyBytes];
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_DIRECTOR_STRATEGY_H_
