// runtime/gate/gate_outside.cc
//
// The gate and the world outside the program: when it is looked at, when its
// signals are taken, and how long threads that can do nothing else let it act.

#include "runtime/gate/deliver.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/gate/outside.h"
#include "runtime/gate/stall.h"

namespace fairlead::rt {
namespace {

// Points between two looks at the world outside: a look costs as much as some
// ten points.
constexpr uint64_t kPointsPerLook = 64;

// How long threads that only repeat themselves let the world outside have: what
// they do costs more than this in any case.
constexpr uint64_t kShortWaitNs = 200'000;

}  // namespace

// The limit is reached, signals may have come from outside, or the world
// outside is to be looked at.
void Gate::LookUp(Thread& from) {
  if (points_ > max_points_) StopCut(from, abi::CutReason::kSteps);
  const bool looks = AnyParked() && points_ > look_above_;
  if (looks) look_above_ = points_ + kPointsPerLook;
  uint64_t next = max_points_;
  if (AnyParked() && look_above_ < next) next = look_above_;
  if (patience_at_ <= next) next = patience_at_ - (patience_at_ != 0 ? 1 : 0);
  __atomic_exchange_n(&attend_above_, next, __ATOMIC_ACQ_REL);
  TakeArrivals(from, Arriving::kAtPoint);
  if (now_ns_ >= next_timer_ns_) GoOff();
  if (looks) LookOutside();
  if (inputs().fed()) LookAgain();
  if (points_ >= patience_at_) LosePatience(from);
}

// The point of the next look that a schedule has beyond the usual ones.
uint64_t Gate::NextLook() const {
  const abi::InputRecord* record =
      inputs().fed() ? inputs().Peek(Tid::kNone) : nullptr;
  return record != nullptr && record->kind == abi::InputKind::kLook
             ? record->value
             : ~uint64_t{0};
}

// Repeats such a look if it was here, and comes back for the next one.
void Gate::LookAgain() {
  while (NextLook() == points_) {
    inputs().Take(Tid::kNone, abi::InputKind::kLook);
    LookOutside();
  }
  const uint64_t next = NextLook();
  if (next > points_) AttendAbove(next - 1);
}

// The strategy holds everybody for one who waits for the world outside: lets
// that act, for a moment at a time. True when somebody else can move now. Asked
// ahead of all that a choice counts, so that a replay, which looks at the same
// point, counts the same.
bool Gate::AwaitOutside(const Thread& from) {
  if (inputs().fed() || !AnyForeignParked()) return false;
  size_t num_shown = 0;
  for (const sched::Candidate& each : enabled_.candidates()) {
    const bool yields = each.tid == from.tid && from.yielding;
    if (!yields && !fairness_.demoted(each.tid)) shown_[num_shown++] = each;
  }
  const sched::Point point = {.step = static_cast<abi::Step>(steps_),
                              .enabled = {shown_, num_shown},
                              .running = from.tid,
                              .count = from.count,
                              .site = from.place.anchor,
                              .yielding = from.yielding};
  while (num_shown != 0 && strategy_->AwaitsOutside(point)) {
    if (!IsReadyWithin(kShortWaitNs)) continue;
    const size_t enabled = enabled_.size();
    inputs().Record(Tid::kNone, abi::InputKind::kLook, points_);
    LookOutside();
    if (enabled_.size() > enabled) return true;
  }
  return false;
}

void Gate::LookOutsideSoon() {
  if (points_ > look_above_) look_above_ = points_ + kPointsPerLook;
  if (inputs().fed()) LookAgain();
  AttendAbove(look_above_);
}

void Gate::AttendAbove(uint64_t points) {
  uint64_t above = __atomic_load_n(&attend_above_, __ATOMIC_RELAXED);
  if (points >= above) return;
  // A handler of the kernel's may have set it to 0 meanwhile: so it stays.
  __atomic_compare_exchange_n(&attend_above_, &above, points, false,
                              __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void Gate::WhenNobodyCan(Thread& from) {
  do {
    if (WaitOutside(earliest_deadline_ns())) {
      if (inputs().fed()) LookAgain();
      TakeArrivals(from, Arriving::kWhileWaiting);
    } else {
      FireEarliestDeadline(from);
    }
  } while (enabled_.size() == 0);
}

// All who are enabled repeat themselves: lets the world outside act, for a
// moment, if somebody waits for it. False when nobody does.
bool Gate::PassTimeOutside() {
  if (!AnyForeignParked()) return false;
  const uint64_t deadline = earliest_deadline_ns();
  const uint64_t soon = now_ns_ + kShortWaitNs;
  WaitOutside(deadline < soon ? deadline : soon);
  return true;
}

}  // namespace fairlead::rt
