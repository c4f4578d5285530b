// sched/fairness.h
//
// The spin and yield policy, one for all strategies. A thread that says that it
// cannot progress alone is demoted: it may not be chosen while a thread that is
// not demoted could be. Never disabled: bounded spins are legal, so when only
// demoted threads are left, all of them may be chosen again.
//
//   demoted    when it yields, or the gate sees it repeat reads in vain
//   restored   when another thread changes something (a write, a successful
//              read-modify-write, any synchronisation), or ends; or when every
//              enabled thread is demoted: a *round* is over; or when others
//              have been chosen kPatience times and nobody was demoted anew,
//              so that a bounded spin may also end before what it waits for
//   hurried    once there have been kPatientRounds such rounds, a thread goes
//              round alone for most of them: switching costs more than looking
//   livelock   a whole round in which nothing changed, no thread read anything
//              new, and no deadline is left: `still_rounds()` counts these, the
//              gate gives the verdict
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_FAIRNESS_H_
#define FAIRLEAD_SCHED_FAIRNESS_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "sched/strategy.h"

namespace fairlead::sched {

class Fairness {
 public:
  void Begin() noexcept { *this = Fairness(); }

  void Yielded(Tid tid) noexcept {
    while (num_seen_ <= Index(tid)) demoted_at_[num_seen_++] = 0;
    demoted_at_[Index(tid)] = epoch_;
    demoted_last_ = epoch_;
    waited_ = 0;
  }

  // A thread changed something that another one may be waiting for.
  void Changed() noexcept {
    ++epoch_;
    idle_rounds_ = 0;
    Learned();
  }

  // A thread read something that it had not read before.
  void Learned() noexcept { still_rounds_ = 0; }

  bool demoted(Tid tid) const noexcept {
    return Index(tid) < num_seen_ && demoted_at_[Index(tid)] == epoch_;
  }
  bool any_demoted() const noexcept { return demoted_last_ == epoch_; }
  bool ever_demoted() const noexcept { return demoted_last_ != 0; }

  // Keeps, in order, the candidates that may be chosen; returns how many. None
  // is dropped when all are demoted: that ends the round instead.
  size_t Keep(std::span<Candidate> enabled) noexcept {
    size_t kept = 0;
    for (size_t i = 0; i < enabled.size(); ++i) {
      if (!demoted(enabled[i].tid)) enabled[kept++] = enabled[i];
    }
    if (kept != 0 || enabled.empty()) {
      if (kept != enabled.size() && ++waited_ >= kPatience) ++epoch_;
      return kept;
    }
    ++epoch_;
    ++idle_rounds_;
    ++still_rounds_;
    return enabled.size();
  }

  // A thread would yield: whether it goes round once more instead.
  bool GoesRoundAlone() noexcept {
    if (still_rounds_ < kPatientRounds || still_rounds_ % kRoundsAlone == 0) {
      return false;
    }
    ++idle_rounds_;
    ++still_rounds_;
    return true;
  }

  // Rounds in a row that ended without a change.
  uint64_t idle_rounds() const noexcept { return idle_rounds_; }
  // The same, of threads that learnt nothing new either.
  uint64_t still_rounds() const noexcept { return still_rounds_; }

 private:
  // Long enough that spinning costs little, short enough that a thread that
  // gives up after ten tries does so within a hundred choices.
  static constexpr uint32_t kPatience = 8;
  // More than any bounded spin that takes turns with another needs.
  static constexpr uint64_t kPatientRounds = 2'000;
  static constexpr uint64_t kRoundsAlone = 1'024;

  uint64_t epoch_ = 1;
  uint64_t demoted_last_ = 0;  // epoch of the last demotion; 0 = never
  uint32_t waited_ = 0;        // choices since, that somebody was left out of
  uint64_t idle_rounds_ = 0;
  uint64_t still_rounds_ = 0;
  size_t num_seen_ = 0;  // of demoted_at_: the rest has not been written yet
  uint64_t demoted_at_[kMaxThreads];  // epoch of the demotion; 0 = never
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_FAIRNESS_H_
