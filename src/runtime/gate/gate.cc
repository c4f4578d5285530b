#include "runtime/gate/gate.h"

#include <new>

#include "runtime/carrier/carrier.h"
#include "runtime/emit/schedule_writer.h"
#include "runtime/gate/deliver.h"
#include "runtime/gate/stall.h"
#include "runtime/gate/watch.h"
#include "runtime/sites/features.h"
#include "runtime/sys/check.h"
#include "sched/record.h"

namespace fairlead::rt {
namespace {

// A bounded spin of any program that we know ends within a few thousand rounds;
// but a thread may also be at work on what has no sites, and look at something
// shared in between. This many cost a fifth of a second.
constexpr uint64_t kDefaultStillRounds = 2'000'000;

// Threads that only repeat themselves while others sleep: time passes for them
// too. More rounds than a lock that spins before it waits would make.
constexpr uint64_t kRoundsToDeadline = 16;

}  // namespace

sched::Following Gate::following_;

namespace {

uint64_t LongestEarly(uint64_t flags) {
  if ((flags & abi::kPlanEarlyNever) != 0) return 0;
  return (flags & abi::kPlanEarlyShort) != 0 ? abi::kShortTimeoutNs
                                             : kNoDeadline;
}

uint64_t LongestEarlySleep(uint64_t flags) {
  if ((flags & abi::kPlanEarlyNever) != 0) return 0;
  return (flags & abi::kPlanEarlySleepsShort) != 0 ? abi::kShortSleepNs
                                                   : kNoDeadline;
}

}  // namespace

// Not an object with a constant initialiser: that would put 300 KB of mostly
// zeros into the file.
alignas(Gate) constinit unsigned char gate_storage[sizeof(Gate)] = {};

void Gate::Begin(Thread& main, sched::Strategy& strategy, Carrier& carrier,
                 abi::ControlPage& page) {
  new (this) Gate;  // not Gate(), which would write zeros to every page
  carrier_ = &carrier;
  Renew(strategy, page);
  main.tid = Tid::kMain;
  main.slot.thread = static_cast<uint16_t>(main.tid);
  main.intent = {.op = EventKind::kBegin, .object = nullptr};
  main_thread = &main;
  threads_[num_threads_++] = &main;
  live_[num_live_++] = &main;
  running_ = &main;
  enabled_.Insert(main);
}

void Gate::Renew(sched::Strategy& strategy, const abi::ControlPage& page) {
  const abi::Plan& plan = page.plan;
  strategy_ = &strategy;
  watches_all_ = strategy.WatchesAll();
  max_points_ = plan.max_steps == 0 ? ~uint64_t{0} : plan.max_steps;
  time_passes_ = (plan.flags & abi::kPlanTimePasses) != 0;
  fair_at_ = 0;
  patience_at_ = time_passes_ ? 0 : kNever;
  attend_above_ = time_passes_ ? 0 : max_points_;
  must_follow_ = (plan.flags & abi::kPlanFollow) != 0;
  num_to_follow_ = page.region(abi::RegionId::kChoicesIn).used;
  longest_early_ns_ = LongestEarly(plan.flags);
  longest_early_sleep_ns_ = LongestEarlySleep(plan.flags);
  max_still_rounds_ =
      plan.livelock_points == 0 ? kDefaultStillRounds : plan.livelock_points;
}

void Gate::BeginProgram(Thread& main) {
  RT_CHECK(num_live_ == 1 && running_ == &main && steps_ == 0);
  CountFromHere(main);
  main.count = 0;
  main.way = 0;
}

void Gate::Restart(Thread& thread, size_t num_threads,
                   sched::Strategy* strategy) {
  RT_CHECK(num_live_ == 1 && running_ == &thread);
  num_threads_ = num_threads;
  if (strategy != nullptr) {
    strategy_ = strategy;
    following_ = {};
  }
  steps_ = 0;
  CountFromHere(thread);
}

// As if `thread`, which is alone, had not come to the gate yet.
void Gate::CountFromHere(Thread& thread) {
  points_ = 0;
  given_ = nullptr;
  called_at_ = 0;
  calls_since_ = 0;
  timer_due_for_ns_ = kNoDeadline;
  TimersChanged();
  fair_at_ = 0;
  if (time_passes_) LosePatienceBy(0);
  fairness_.Changed();
  thread.yielding = false;
  thread.due_for_ns = 0;
  thread.spin.Progressed();
}

Wake Gate::Arrive(Thread& thread, const Intent& intent, const Place& place) {
  thread.intent = intent;
  thread.place = place;
  thread.wake = Wake::kReady;
  SettleWrite(thread);
  if (thread.signals.due) [[unlikely]]
    DeliverAhead(thread);
  do {
    Settle(thread);
    // In a quiet region nobody else is chosen unless this thread must wait.
    if (thread.marked == 0 || thread.state != ThreadState::kEnabled) {
      Pass(thread);
    }
  } while ((thread.signals.due || thread.wake == Wake::kSignal) &&
           HandleSignals(thread));
  return thread.wake;
}

// `thread` has been chosen, and signals are due. True when it must arrive
// again, since others may have run while a handler of its did.
bool Gate::HandleSignals(Thread& thread) {
  if (thread.wake == Wake::kReady) return DeliverAhead(thread);
  if (thread.wake != Wake::kSignal) return false;
  const Delivered delivered = DeliverNow(thread);
  thread.wake = Wake::kReady;
  if (Ready(thread) || !EndsWait(delivered, thread.intent.interruption)) {
    return true;
  }
  thread.wake = Wake::kInterrupted;
  return false;
}

void Gate::ArriveForAccess(Thread& thread, EventKind op, const void* address,
                           uint64_t bytes) {
  thread.intent = {.op = op, .object = address, .bytes = bytes};
  enabled_.Update(thread);
  Pass(thread);
  if (thread.signals.due) [[unlikely]]
    DeliverAhead(thread);
}

// Moves a thread into or out of the enabled set, as its intent demands.
void Gate::Settle(Thread& thread) {
  bool ready = thread.wake != Wake::kReady || Ready(thread);
  if (!ready && thread.signals.due) {
    thread.wake = Wake::kSignal;
    ready = true;
  }
  if (thread.state == ThreadState::kEnabled) {
    if (ready) {
      enabled_.Update(thread);
    } else {
      enabled_.Remove(thread, ThreadState::kWaiting);
      if (thread.intent.deadline_ns != kNoDeadline) BeginsToWait(thread);
    }
  } else if (ready) {
    if (thread.stands_since == kNever) thread.stands_since = points_;
    enabled_.Insert(thread);
  }
}

void Gate::Pass(Thread& from) {
  Count(from);
  features().Came(from, from.place.anchor);
  Thread& next = PickNext(from);
  if (&next == &from) return;
  from.stands_since = from.state == ThreadState::kEnabled ? points_ : kNever;
  next.stands_since = kNever;
  running_ = &next;
  carrier_->Switch(from, next);
}

Thread& Gate::PickNext(Thread& from) {
  // Pairs with the release store in Attend.
  if (points_ > __atomic_load_n(&attend_above_, __ATOMIC_RELAXED)) [[unlikely]]
    LookUp(from);
  if (next_timer_ns_ != kNoDeadline) [[unlikely]]
    OfferTimer(from);
  if (from.alone != 0) [[unlikely]] {
    if (StaysAlone(from)) return from;
  }
  if (enabled_.size() == 0) [[unlikely]]
    WhenNobodyCan(from);
  if (enabled_.size() == 1) {
    Thread& only = enabled_.thread(0);
    // Alone, a thread that spins repeats itself until a deadline passes.
    if (only.yielding || watches_all_) [[unlikely]]
      return PickAmongMany(from);
    return only;
  }
  return PickAmongMany(from);
}

Thread& Gate::PickAmongMany(Thread& from) {
  if (watches_all_) [[unlikely]] {
    while (AwaitOutside(from)) continue;
  }
  if (given_ != nullptr) [[unlikely]] {
    if (Thread* thread = TakesTurn(from)) return *thread;
  }
  std::span<const sched::Candidate> candidates = enabled_.candidates();
  const bool yielding = from.yielding;
  from.yielding = false;
  if (yielding) [[unlikely]] {
    if (GoesOnSpinning(from) || fairness_.GoesRoundAlone()) return from;
    fairness_.Yielded(from.tid);
  }
  if (fairness_.any_demoted()) [[unlikely]] {
    for (size_t i = 0; i < candidates.size(); ++i) shown_[i] = candidates[i];
    const size_t kept = fairness_.Keep({shown_, candidates.size()});
    candidates = {shown_, kept};
    if (fairness_.idle_rounds() >= kRoundsToDeadline) {
      const bool waited = PassTimeOutside();
      const uint64_t deadline = earliest_deadline_ns();
      const bool due = waited ? deadline <= now_ns_ : deadline != kNoDeadline;
      if (due) FireEarliestDeadline(from);
      if (due || waited) {
        fairness_.Changed();
        return PickAmongMany(from);
      }
    }
    if (fairness_.still_rounds() > max_still_rounds_) StopLivelock(from);
  }
  if (candidates.size() == 1 && !watches_all_) {
    return *threads_[abi::Index(candidates[0].tid)];
  }
  const sched::Point point = {
      .step = static_cast<abi::Step>(steps_),
      .enabled = candidates,
      .running = from.tid,
      .count = from.count,
      .site = from.place.anchor,
      .yielding = yielding,
      .way = static_cast<uint32_t>(from.way >> 32),
  };
  const size_t picked =
      candidates.size() == 1 ? strategy_->Pick(point) : Ask(from, point);
  return *threads_[abi::Index(candidates[picked].tid)];
}

size_t Gate::Ask(Thread& from, const sched::Point& point) {
  const size_t picked = strategy_->Pick(point);
  RT_CHECK(picked < point.enabled.size());
  if (following_.parted) [[unlikely]] {
    if (must_follow_) StopDivergence(from, following_.where);
  }
  ++steps_;
  if (schedule_writer().keeps_points()) [[unlikely]]
    schedule_writer().Saw(point, picked, fairness_.ever_demoted());
  if (sched::IsRecorded(point, picked)) {
    schedule_writer().Chose(sched::RecordOf(point, picked));
  }
  return picked;
}

bool Gate::Offer(Thread& thread, EventKind op, uint32_t option) {
  // Not `shown_`: it may hold the candidates of the choice around this.
  const sched::Candidate options[] = {
      {thread.tid, op, abi::ObjId{0}, thread.place.anchor},
      {thread.tid, op, abi::ObjId{option}, thread.place.anchor}};
  const sched::Point point = {
      .step = static_cast<abi::Step>(steps_),
      .enabled = options,
      .running = thread.tid,
      .count = thread.count,
      .site = thread.place.anchor,
      .yielding = false,
      .way = static_cast<uint32_t>(thread.way >> 32),
      .offer = true,
  };
  return Ask(thread, point) == 1;
}

void Gate::Changed(const void* object) {
  for (size_t i = 0; i < num_live_; ++i) {
    Thread& thread = *live_[i];
    if (thread.intent.object == object && &thread != running_) Settle(thread);
  }
  fairness_.Changed();
}

void Gate::Interrupt(Thread& thread, Wake wake) {
  thread.wake = wake;
  Settle(thread);
}

void Gate::Add(Thread& thread, const Place& place) {
  RT_CHECK(num_threads_ < abi::kMaxThreads);
  thread.tid = static_cast<Tid>(num_threads_);
  thread.slot.thread = static_cast<uint16_t>(thread.tid);
  thread.intent = {.op = EventKind::kBegin, .object = nullptr};
  thread.place = place;
  features().Born(thread, place.anchor);
  threads_[num_threads_++] = &thread;
  live_[num_live_++] = &thread;
  thread.stands_since = points_;
  enabled_.Insert(thread);
}

void Gate::RemoveLive(const Thread& thread) {
  size_t at = 0;
  while (live_[at] != &thread) ++at;
  for (--num_live_; at < num_live_; ++at) live_[at] = live_[at + 1];
}

void Gate::End(Thread& thread, const Place& place) {
  thread.place = place;
  thread.intent = {.op = EventKind::kEnd, .object = nullptr};
  enabled_.Remove(thread, ThreadState::kEnded);
  RemoveLive(thread);
  Count(thread);
  Changed(&thread);
  Thread& next = PickNext(thread);
  thread.stands_since = kNever;
  next.stands_since = kNever;
  running_ = &next;
  carrier_->Leave(thread, next);
}

uint32_t Gate::Choose(Thread& thread, EventKind op, uint32_t options) {
  if (options < 2) return 0;
  Count(thread);
  const size_t shown = options < abi::kMaxThreads ? options : abi::kMaxThreads;
  for (size_t i = 0; i < shown; ++i) {
    shown_[i] = {thread.tid, op, static_cast<abi::ObjId>(i),
                 thread.place.anchor};
  }
  const sched::Point point = {
      .step = static_cast<abi::Step>(steps_),
      .enabled = {shown_, shown},
      .running = thread.tid,
      .count = thread.count,
      .site = thread.place.anchor,
      .yielding = false,
      .way = static_cast<uint32_t>(thread.way >> 32),
  };
  return static_cast<uint32_t>(Ask(thread, point));
}

}  // namespace fairlead::rt
