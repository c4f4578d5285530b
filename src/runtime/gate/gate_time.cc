// runtime/gate/gate_time.cc
//
// The gate and virtual time: deadlines that fire when nobody can go on, and
// timers and time-outs that pass by choice while others could.

#include "runtime/gate/deliver.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/outside.h"
#include "runtime/gate/stall.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// The number of this option in a schedule.
constexpr uint32_t kTimerGoesOff = 1;

}  // namespace

void Gate::TimersChanged() {
  next_timer_ns_ = NextTimer();
  offer_timer_at_ = points_ + 1;
  offer_steps_[0] = offer_steps_[1] = 1;
  timer_may_come_ = next_timer_ns_ != kNoDeadline &&
                    PlanAsks(abi::kPlanEarly) &&
                    (next_timer_ns_ <= now_ns_ ||
                     next_timer_ns_ - now_ns_ < longest_early_ns_);
  if (now_ns_ >= next_timer_ns_) Attend();
  if (next_timer_ns_ == timer_due_for_ns_) return;
  timer_due_for_ns_ = next_timer_ns_;
  timer_due_at_ = kNever;
  if (next_timer_ns_ == kNoDeadline) return;
  const uint64_t left = next_timer_ns_ > now_ns_ ? next_timer_ns_ - now_ns_ : 0;
  timer_due_at_ = points_ + PatienceWith(EventKind::kTimer, left, false);
  LosePatienceBy(timer_due_at_);
}

// Whether the next timer goes off now, while others could go on: a handler may
// come anywhere. Asked ever more rarely, since nothing may depend on it.
void Gate::OfferTimer(Thread& from) {
  if (watches_all_ || points_ < offer_timer_at_) return;
  if (from.state == ThreadState::kEnded) return;
  if (now_ns_ >= next_timer_ns_) return;  // goes off in any case
  offer_timer_at_ = points_ + offer_steps_[0];
  offer_steps_[1] += offer_steps_[0];
  offer_steps_[0] = offer_steps_[1] - offer_steps_[0];
  if (!PlanAsks(abi::kPlanEarly)) return;  // schedules without know of none
  const uint64_t left = next_timer_ns_ - now_ns_;
  // A watchdog of a second is one.
  if (left >= longest_early_ns_) return;
  if (!Offer(from, EventKind::kTimer, kTimerGoesOff)) return;
  PassedEarly(EventKind::kTimer, left, from.place);
  PassTime(next_timer_ns_);
  GoOff();
}

uint64_t Gate::earliest_deadline_ns() const {
  uint64_t earliest = EarliestTimer();
  for (size_t i = 0; i < num_live_; ++i) {
    const Thread& thread = *live_[i];
    if (thread.state == ThreadState::kWaiting &&
        thread.intent.deadline_ns < earliest) {
      earliest = thread.intent.deadline_ns;
    }
  }
  return earliest;
}

void Gate::FireEarliestDeadline(Thread& from) {
  Thread* earliest = nullptr;
  for (size_t i = 0; i < num_live_; ++i) {
    Thread& thread = *live_[i];
    if (thread.state != ThreadState::kWaiting) continue;
    if (thread.intent.deadline_ns == kNoDeadline) continue;
    if (earliest == nullptr ||
        thread.intent.deadline_ns < earliest->intent.deadline_ns) {
      earliest = &thread;
    }
  }
  const uint64_t timer = EarliestTimer();
  if (timer != kNoDeadline &&
      (earliest == nullptr || timer <= earliest->intent.deadline_ns)) {
    PassTime(timer);
    GoOff();
    return;
  }
  if (earliest == nullptr) {
    if (!AwaitArrival(from)) StopDeadlock(from);
    return;
  }
  PassTime(earliest->intent.deadline_ns);
  Interrupt(*earliest, Wake::kTimedOut);
}

void Gate::PassedEarly(EventKind op, uint64_t ns, const Place& place) {
  const bool sleep = op == EventKind::kSleep;
  abi::Outcome& outcome = control_page()->outcome;
  // Of a short sleep nobody expects more than that it may be over: it is not
  // counted, and kept only while nothing else is.
  const bool nap = sleep && ns <= abi::kShortTimeoutNs;
  if (nap && (outcome.early_waits != 0 || ns <= outcome.early_ns)) return;
  if (!nap && outcome.early_waits++ != 0 && ns <= outcome.early_ns) return;
  outcome.early_ns = ns;
  outcome.early_is_sleep = sleep ? 1 : 0;
  outcome.early_site = place.site;
  outcome.early_site_flags = place.flags;
}

}  // namespace fairlead::rt
