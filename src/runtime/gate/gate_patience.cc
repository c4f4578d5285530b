// runtime/gate/gate_patience.cc
//
// Nobody waits for ever while others go on: time passes with points, and who
// could move and is not chosen gets a turn. Everything is counted in points, so
// that an execution which follows a schedule does the same, and looked at from
// LookUp alone, so that a point costs nothing more.
//
//   while (!stop) count++;            // a worker
//   sleep(1); stop = true; join();    // main
//
// Here the worker can always move, and changes something each time. A wait that
// may be over early anyway (`--early-timeouts`) ends after at most
// kMostPatience points of others; any other takes what its time would be at
// kPointNs a point, and ends at the latest after kLongPatience. Earlier
// deadlines pass with it, so that they pass in order. Of a strategy without
// preemption, or with priorities, main would still never be chosen: so who has
// stood for kStands points is given the turn, for ever longer times. That is
// part of no schedule, since it is the same each time.
//
// Incomplete: a program that relies on a wait to be longer than its other
// threads' work, and these come to the gate more often than that, is told as if
// the wait had been over early, which a finding says.

#include "runtime/gate/gate.h"
#include "runtime/gate/outside.h"

namespace fairlead::rt {
namespace {

// A microsecond a point, where nobody can rely on how long the wait is.
constexpr uint64_t kEarlyPointNs = 1'000;
constexpr uint64_t kLeastPatience = 1'024;
constexpr uint64_t kMostPatience = 16'384;
// As processor time is counted (model/clock.cc); and no longer than a schedule
// has room for, if each point is a switch.
constexpr uint64_t kPointNs = 100;
constexpr uint64_t kLongPatience = 1'000'000;
// What a yield by force counts for: half a second of processor time.
constexpr uint64_t kForcedPoints = 200'000;
// The same for a yield of a thread that spins in such code: some milliseconds.
constexpr uint64_t kSpinPoints = 8'192;

// More choices in a row than strategies that draw ever make against a thread,
// and about ten milliseconds.
constexpr uint64_t kStands = 131'072;
// The same for a thread that time has just let go on.
constexpr uint64_t kStandsWhenDue = 8'192;
constexpr uint64_t kTurn = 16;
constexpr uint8_t kMostDoublings = 12;
constexpr uint64_t kFairEvery = 4'096;

// Calls in a row that are no points, of which the last is one.
constexpr uint32_t kCallsToPoint = 16;

uint64_t Between(uint64_t least, uint64_t value, uint64_t most) {
  return value < least ? least : value > most ? most : value;
}

}  // namespace

uint64_t Gate::PatienceWith(EventKind op, uint64_t ns, bool in_earnest) const {
  if (!in_earnest && ns <= LongestEarlyOf(op)) {
    return Between(kLeastPatience, ns / kEarlyPointNs, kMostPatience);
  }
  return Between(kMostPatience, ns / kPointNs, kLongPatience);
}

// LookUp comes to LosePatience at that point at the latest.
void Gate::LosePatienceBy(uint64_t points) {
  if (!time_passes_) return;
  if (points < patience_at_) patience_at_ = points;
  AttendAbove(points == 0 ? 0 : points - 1);
}

// One that waits again for the same time, as a loop around a condition does,
// has been waiting since.
void Gate::BeginsToWait(Thread& thread) {
  const Intent& intent = thread.intent;
  if (!time_passes_ || thread.due_for_ns == intent.deadline_ns) return;
  const uint64_t left =
      intent.deadline_ns > now_ns_ ? intent.deadline_ns - now_ns_ : 0;
  thread.due_for_ns = intent.deadline_ns;
  thread.due_at = points_ + PatienceWith(intent.op, left, intent.in_earnest);
  LosePatienceBy(thread.due_at);
}

void Gate::LosePatience(Thread& from) {
  PassDueTime(from);
  if (points_ >= fair_at_) GiveTurn(from);
  patience_at_ = fair_at_ < timer_due_at_ ? fair_at_ : timer_due_at_;
  for (size_t i = 0; i < num_live_; ++i) {
    const Thread& thread = *live_[i];
    if (thread.state != ThreadState::kWaiting ||
        thread.intent.deadline_ns == kNoDeadline) {
      continue;
    }
    if (thread.due_at < patience_at_) patience_at_ = thread.due_at;
  }
  if (patience_at_ <= points_) patience_at_ = points_ + 1;
  AttendAbove(patience_at_ - 1);
}

// What passes up to `until` though points have not taken as long.
void Gate::NoteEarly(const Thread& from, uint64_t until) {
  const auto note = [&](EventKind op, uint64_t deadline, const Place& place,
                        bool in_earnest) {
    if (deadline > until || deadline <= now_ns_) return;
    const uint64_t left = deadline - now_ns_;
    if (PatienceWith(op, left, in_earnest) * kPointNs < left) {
      PassedEarly(op, left, place);
    }
  };
  note(EventKind::kTimer, next_timer_ns_, from.place, false);
  for (size_t i = 0; i < num_live_; ++i) {
    const Thread& thread = *live_[i];
    if (thread.state != ThreadState::kWaiting) continue;
    note(thread.intent.op, thread.intent.deadline_ns, thread.place,
         thread.intent.in_earnest);
  }
}

void Gate::PassDueTime(Thread& from) {
  uint64_t until = timer_due_at_ <= points_ ? timer_due_for_ns_ : 0;
  for (size_t i = 0; i < num_live_; ++i) {
    const Thread& thread = *live_[i];
    const uint64_t deadline = thread.intent.deadline_ns;
    if (thread.state == ThreadState::kWaiting && deadline != kNoDeadline &&
        thread.due_at <= points_ && deadline > until) {
      until = deadline;
    }
  }
  if (until == 0) return;
  NoteEarly(from, until);
  while (earliest_deadline_ns() <= until) FireEarliestDeadline(from);
  // Its time is over, and nobody was to be held up by it for so long.
  for (size_t i = 0; i < num_live_; ++i) {
    Thread& thread = *live_[i];
    if (&thread == &from || thread.state != ThreadState::kEnabled ||
        thread.wake != Wake::kTimedOut || thread.stands_since != points_) {
      continue;
    }
    thread.stands_since -= kStands - kStandsWhenDue;
    if (points_ + kStandsWhenDue < fair_at_)
      fair_at_ = points_ + kStandsWhenDue;
  }
}

// One that could not take it while it was offered has not been standing.
void Gate::EndTurn() {
  if (!given_taken_ && given_->stands_since != kNever) {
    given_->stands_since =
        given_->state == ThreadState::kEnabled ? points_ : kNever;
  }
  given_ = nullptr;
}

// The one that has stood the longest, if that is too long. It may have to wait
// just now, for a lock that others take again and again.
void Gate::GiveTurn(const Thread& from) {
  if (given_ != nullptr && points_ >= given_until_) EndTurn();
  Thread* first = nullptr;
  for (size_t i = 0; i < num_live_; ++i) {
    Thread& thread = *live_[i];
    if (&thread == &from || thread.stands_since == kNever) continue;
    const auto stood = static_cast<int64_t>(points_ - thread.stands_since);
    if (first == nullptr ||
        stood > static_cast<int64_t>(points_ - first->stands_since)) {
      first = &thread;
    }
  }
  fair_at_ = points_ + kFairEvery;
  if (first == nullptr || watches_all_) return;
  const uint64_t stood = points_ - first->stands_since;
  if (stood < kStands) {
    if (kStands - stood > kFairEvery) fair_at_ = points_ + (kStands - stood);
    return;
  }
  given_ = first;
  given_taken_ = false;
  given_until_ = points_ + kFairEvery;
}

// Who has been given the turn, if it can go on; null also when that is over.
Thread* Gate::TakesTurn(Thread& from) {
  const bool can = given_->state == ThreadState::kEnabled;
  const bool waits = !can && !given_taken_;
  const bool over = points_ >= given_until_ || (!can && !waits) ||
                    (given_ == &from && from.yielding);
  if (over || waits) {
    if (over) EndTurn();
    return nullptr;
  }
  if (!given_taken_) {
    given_taken_ = true;
    given_until_ = points_ + (kTurn << given_->turns_given);
    if (given_->turns_given < kMostDoublings) ++given_->turns_given;
  }
  if (from.yielding && from.state == ThreadState::kEnabled) {
    from.yielding = false;
    fairness_.Yielded(from.tid);
  }
  return given_;
}

void Gate::WorkedOutside(uint64_t points) {
  if (!time_passes_) return;
  const auto sooner = [&](uint64_t due) {
    return due > points ? due - points : 0;
  };
  for (size_t i = 0; i < num_live_; ++i) {
    live_[i]->due_at = sooner(live_[i]->due_at);
  }
  if (timer_due_at_ != kNever) timer_due_at_ = sooner(timer_due_at_);
  LosePatienceBy(0);
}

void Gate::SpinsOutside(Thread& thread) {
  CannotGoOn(thread);
  WorkedOutside(kSpinPoints);
}

void Gate::YieldByForce(Thread& thread) {
  CannotGoOn(thread);
  if (time_passes_) {
    WorkedOutside(kForcedPoints);
  } else if (enabled_.size() == 1 && earliest_deadline_ns() != kNoDeadline) {
    FireEarliestDeadline(thread);
  }
  Yielded(thread);
}

bool Gate::CallIsPoint() {
  if (points_ != called_at_) {
    called_at_ = points_;
    calls_since_ = 0;
  }
  if (!time_passes_ || ++calls_since_ < kCallsToPoint) return false;
  calls_since_ = 0;
  return AccessesMatter();
}

}  // namespace fairlead::rt
