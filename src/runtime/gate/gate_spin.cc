// runtime/gate/gate_spin.cc
//
// The gate and threads that spin: each is set aside, or goes on alone for a
// while, by choice.

#include "runtime/gate/gate.h"

namespace fairlead::rt {
namespace {

// The number of this option in a schedule.
constexpr uint32_t kGoesOnSpinning = 2;

// Points that a thread which spins may go on alone: more than the spins of
// locks and std::atomic::wait() make before they wait in earnest.
constexpr uint16_t kPointsAlone = 512;
// How often that is offered to a thread which does not get out of its spin: a
// systematic search has a schedule for each.
constexpr uint8_t kMostOffers = 2;

}  // namespace

// A thread that spins is set aside, or goes on alone until it does something
// else: a spin that ends by itself (a lock that spins before it waits) may do
// so before what it spins for happens. Nobody else needs to run in between,
// since the spin changes nothing.
bool Gate::GoesOnSpinning(Thread& from) {
  if (enabled_.size() < 2 || from.alone_offers == kMostOffers) return false;
  if (from.state != ThreadState::kEnabled) return false;
  ++from.alone_offers;
  if (watches_all_) TellWhoIsHeld(from);
  if (!Offer(from, EventKind::kYield, kGoesOnSpinning)) return false;
  from.alone = kPointsAlone;
  return true;
}

// One that holds threads back has it go on where it holds all others: its spin
// may be a bounded one.
void Gate::TellWhoIsHeld(const Thread& from) {
  size_t num_shown = 0;
  for (const sched::Candidate& each : enabled_.candidates()) {
    if (each.tid == from.tid || fairness_.demoted(each.tid)) continue;
    shown_[num_shown++] = each;
  }
  strategy_->OthersThanSpinning({.step = static_cast<abi::Step>(steps_),
                                 .enabled = {shown_, num_shown},
                                 .running = from.tid,
                                 .count = from.count,
                                 .site = from.place.anchor,
                                 .yielding = true});
}

// Whether `from`, which goes on alone, still does nothing else.
bool Gate::StaysAlone(Thread& from) {
  const bool spins = from.spin.repeating() ||
                     from.intent.op == EventKind::kYield || from.yielding;
  if (from.state == ThreadState::kEnabled && spins) {
    from.yielding = false;
    if (--from.alone != 0) return true;
    from.alone_offers = kMostOffers;  // in vain: it does not end by itself
    return false;
  }
  from.alone = 0;
  from.alone_offers = 0;
  return false;
}

void Gate::CannotGoOn(Thread& thread) { thread.alone_offers = kMostOffers; }

}  // namespace fairlead::rt
