#include "runtime/gate/gate.h"

#include <new>

#include "runtime/carrier/carrier.h"
#include "runtime/emit/features.h"
#include "runtime/emit/schedule_writer.h"
#include "runtime/execution.h"
#include "runtime/gate/deliver.h"
#include "runtime/gate/stall.h"
#include "runtime/gate/watch.h"
#include "runtime/model/timers.h"
#include "runtime/outside/inputs.h"
#include "runtime/outside/waiting.h"
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

// Points between two looks at the world outside: a look costs as much as some
// ten points.
constexpr uint64_t kPointsPerLook = 64;

// How long threads that only repeat themselves let the world outside have: what
// they do costs more than this in any case.
constexpr uint64_t kShortWaitNs = 200'000;

// What is offered to a thread at a count that is not its own: the numbers of
// the options in a schedule.
constexpr uint32_t kTimerGoesOff = 1;
constexpr uint32_t kGoesOnSpinning = 2;

// Points that a thread which spins may go on alone: more than the spins of
// locks and std::atomic::wait() make before they wait in earnest.
constexpr uint16_t kPointsAlone = 512;
// How often that is offered to a thread which does not get out of its spin: a
// systematic search has a schedule for each.
constexpr uint8_t kMostOffers = 2;

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
  attend_above_ = max_points_;
  must_follow_ = (plan.flags & abi::kPlanFollow) != 0;
  num_to_follow_ = page.region(abi::RegionId::kChoicesIn).used;
  longest_early_ns_ = LongestEarly(plan.flags);
  longest_early_sleep_ns_ = LongestEarlySleep(plan.flags);
  max_still_rounds_ =
      plan.livelock_points == 0 ? kDefaultStillRounds : plan.livelock_points;
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
  points_ = 0;
  fairness_.Changed();
  thread.yielding = false;
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
    }
  } else if (ready) {
    enabled_.Insert(thread);
  }
}

void Gate::Pass(Thread& from) {
  Count(from);
  features().Came(from, from.place.anchor);
  Thread& next = PickNext(from);
  if (&next == &from) return;
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

// The limit is reached, signals may have come from outside, or the world
// outside is to be looked at.
void Gate::LookUp(Thread& from) {
  if (points_ > max_points_) StopCut(from, abi::CutReason::kSteps);
  const bool looks = AnyParked() && points_ > look_above_;
  if (looks) look_above_ = points_ + kPointsPerLook;
  uint64_t next = max_points_;
  if (AnyParked() && look_above_ < next) next = look_above_;
  __atomic_exchange_n(&attend_above_, next, __ATOMIC_ACQ_REL);
  TakeArrivals(from, Arriving::kAtPoint);
  if (now_ns_ >= next_timer_ns_) GoOff();
  if (looks) LookOutside();
  if (inputs().fed()) LookAgain();
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
  if (next <= attend_above_ && next > points_) attend_above_ = next - 1;
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

void Gate::TimersChanged() {
  next_timer_ns_ = NextTimer();
  offer_timer_at_ = points_ + 1;
  offer_steps_[0] = offer_steps_[1] = 1;
  if (now_ns_ >= next_timer_ns_) Attend();
}

void Gate::LookOutsideSoon() {
  if (points_ > look_above_) look_above_ = points_ + kPointsPerLook;
  uint64_t above = __atomic_load_n(&attend_above_, __ATOMIC_RELAXED);
  // A handler of the kernel's may have set it to 0 meanwhile: so it stays.
  if (inputs().fed()) LookAgain();
  if (look_above_ < above) {
    __atomic_compare_exchange_n(&attend_above_, &above, look_above_, false,
                                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
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

Thread& Gate::PickAmongMany(Thread& from) {
  if (watches_all_) [[unlikely]] {
    while (AwaitOutside(from)) continue;
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

// A thread that spins is set aside, or goes on alone until it does something
// else: a spin that ends by itself (a lock that spins before it waits) may do
// so before what it spins for happens. Nobody else needs to run in between,
// since the spin changes nothing.
bool Gate::GoesOnSpinning(Thread& from) {
  if (watches_all_ || enabled_.size() < 2 || from.alone_offers == kMostOffers) {
    return false;
  }
  if (from.state != ThreadState::kEnabled) return false;
  ++from.alone_offers;
  if (!Offer(from, EventKind::kYield, kGoesOnSpinning)) return false;
  from.alone = kPointsAlone;
  return true;
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

void Gate::PassedEarly(EventKind op, uint64_t ns, const Place& place) {
  const bool sleep = op == EventKind::kSleep;
  // Of a short sleep nobody expects more than that it may be over.
  if (sleep && ns <= abi::kShortTimeoutNs) return;
  abi::Outcome& outcome = control_page()->outcome;
  if (outcome.early_waits++ != 0 && ns <= outcome.early_ns) return;
  outcome.early_ns = ns;
  outcome.early_is_sleep = sleep ? 1 : 0;
  outcome.early_site = place.site;
  outcome.early_site_flags = place.flags;
}

void Gate::CannotGoOn(Thread& thread) { thread.alone_offers = kMostOffers; }

void Gate::YieldByForce(Thread& thread) {
  CannotGoOn(thread);
  if (enabled_.size() == 1 && earliest_deadline_ns() != kNoDeadline) {
    FireEarliestDeadline(thread);
  }
  Yielded(thread);
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

void Gate::Changed(const void* object) {
  for (size_t i = 0; i < num_live_; ++i) {
    Thread& thread = *live_[i];
    if (thread.intent.object == object && &thread != running_) Settle(thread);
  }
  fairness_.Changed();
}

bool Gate::AnythingElse() const {
  return enabled_.size() > 1 || AnyParked() ||
         earliest_deadline_ns() != kNoDeadline;
}

bool Gate::IsAwaited(const Thread& writer, const void* address,
                     uint64_t bytes) const {
  const auto at = reinterpret_cast<uint64_t>(address);
  for (size_t i = 0; i < num_live_; ++i) {
    if (live_[i] != &writer && live_[i]->spin.LooksAt(at, bytes)) return true;
  }
  return false;
}

bool Gate::AnyIntends(const void* object) const {
  for (size_t i = 0; i < num_live_; ++i) {
    if (live_[i]->intent.object == object && live_[i] != running_) return true;
  }
  return false;
}

Intent& Gate::WaitFor(Thread& thread, const void* object) {
  if (thread.intent.object == object) return thread.intent;
  for (Interrupted* i = thread.signals.interrupted; i != nullptr;
       i = i->outer) {
    if (i->intent.object == object) return i->intent;
  }
  return thread.intent;
}

void Gate::Move(Thread& thread, const void* from, const void* to) {
  WaitFor(thread, from).object = to;
}

void Gate::Replace(Thread& thread, const void* object, const Intent& intent) {
  Intent& wait = WaitFor(thread, object);
  wait = intent;
  if (&wait != &thread.intent) return;
  thread.wake = Wake::kReady;
  Settle(thread);
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

void Gate::Yielded(Thread& thread) { thread.yielding = true; }

}  // namespace fairlead::rt
