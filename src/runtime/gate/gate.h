// runtime/gate/gate.h
//
// The turn. One controlled thread runs at a time; it comes to the gate before
// each operation that others could notice, says what it intends, and goes on
// when it is chosen. The strategy chooses among the threads whose intent could
// be carried out now; the carrier does the switching.
//
//   hook:    gate().Arrive(thread, {kLock, mutex, MutexIsFree, ...}, place)
//            ... the mutex is free and this thread runs: take it ...
//            gate().Changed(mutex)      // whoever else wanted it must wait
//
// So an operation is one step: there is no moment between being chosen and
// acting. A model never loops, sleeps or wakes anybody; it keeps state, says
// when an intent is ready, and tells the gate what changed.
//
// When nobody is enabled, or all who are only repeat themselves, the earliest
// deadline fires; without deadlines it is a deadlock or a livelock.
// gate/stall.cc writes the report.
//
// Tier: in-program. Threads: every method is called by the holder of the turn.

#ifndef FAIRLEAD_RUNTIME_GATE_GATE_H_
#define FAIRLEAD_RUNTIME_GATE_GATE_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/control.h"
#include "runtime/gate/enabled.h"
#include "runtime/thread/thread.h"
#include "sched/fairness.h"
#include "sched/strategy.h"

namespace fairlead::rt {

class Carrier;

class Gate {
 public:
  // `main` runs and is the only thread.
  void Begin(Thread& main, sched::Strategy& strategy, Carrier& carrier,
             abi::ControlPage& page);

  // The same execution goes on by another plan: for a child of the fork server.
  void Renew(sched::Strategy& strategy, const abi::ControlPage& page);

  // The program's own code begins, in `main`, which is alone and has chosen
  // nothing yet: counts from here. What constructors count depends on the plan
  // (a free may be a point), and a fork server has run them by another one.
  void BeginProgram(Thread& main);

  // Another iteration of a closure begins in `thread`, which is alone: forgets
  // the threads from number `num_threads` on, which have ended, and what was
  // counted since. `strategy` has the word from here on; null = as before.
  void Restart(Thread& thread, size_t num_threads, sched::Strategy* strategy);

  // `thread`, which is running, is about to do `intent` at `place`. Comes back
  // when it has been chosen and the intent is ready (kReady), its deadline has
  // passed (kTimedOut), or a model has said otherwise (Interrupt).
  Wake Arrive(Thread& thread, const Intent& intent, const Place& place);

  // The same for an access: always ready, and `thread.place` is set already.
  void ArriveForAccess(Thread& thread, EventKind op, const void* address,
                       uint64_t bytes);

  // For a strategy that watches all: `thread` does this, at `thread.place`,
  // where it cannot be stopped.
  void Tell(const Thread& thread, EventKind op, const void* address,
            uint64_t bytes) {
    if (!watches_all_) [[likely]]
      return;
    strategy_->Saw(
        {thread.tid, op,
         static_cast<abi::ObjId>(reinterpret_cast<uint64_t>(address)),
         thread.place.anchor, bytes});
  }
  bool watches_all() const { return watches_all_; }

  // The state of `object` changed, so that intents on it may have become ready
  // or stopped being so.
  void Changed(const void* object);

  // Gives `thread`, which waits for `object`, another intent in place of that
  // one, as a signal turns a wait for the signal into a wait for the mutex.
  // Takes back an interruption that it has not acted on: the signal was faster.
  // While a handler has interrupted the wait, it is the interrupted one.
  void Replace(Thread& thread, const void* object, const Intent& intent);
  // Makes a wait for `from` one for `to`, which changes nothing for it.
  void Move(Thread& thread, const void* from, const void* to);

  // Makes the waiting or enabled `thread` come back from Arrive with `wake`,
  // whether or not its intent is ready. A cancellation, for example.
  void Interrupt(Thread& thread, Wake wake);

  // What is pending for `thread` has changed: if it waits, a handler may be
  // due; if it was about to take a signal, another thread may have been faster.
  void SignalsChanged(Thread& thread) {
    const bool waits = thread.state == ThreadState::kWaiting;
    if (waits || (&thread != running_ && thread.signals.awaited != 0)) {
      Settle(thread);
    }
    fairness_.Changed();
  }
  // Describes anew what the running `thread` intends, after a handler.
  void Resume(Thread& thread) { enabled_.Update(thread); }

  // The running thread has made a system call: whether it comes to the gate for
  // that. Of many in a row that were no points some do.
  bool CallIsPoint();

  // Has signals from outside looked at when a thread next comes here. May be
  // called at any time, also from a handler of the kernel's.
  void Attend() {
    // Pairs with the exchange in LookUp: what has been queued is seen there.
    __atomic_store_n(&attend_above_, uint64_t{0}, __ATOMIC_RELEASE);
  }

  // A new thread is there and may be chosen from now on.
  void Add(Thread& thread, const Place& place);

  // `thread`, which is running, has ended: another one goes on. Returns only on
  // a carrier that needs the thread to return (carrier/carrier.h).
  void End(Thread& thread, const Place& place);

  // One of `options` (at least 1), chosen by the strategy for `thread`. Option
  // 0 is what happens in an ordinary execution.
  uint32_t Choose(Thread& thread, EventKind op, uint32_t options);

  // How long a sleep (kSleep) or another wait may be and still pass by choice
  // while others could go on; 0 = none may.
  uint64_t LongestEarlyOf(EventKind op) const {
    return op == EventKind::kSleep ? longest_early_sleep_ns_
                                   : longest_early_ns_;
  }
  // A wait of `ns` at `place` ended by its time though others could go on.
  void PassedEarly(EventKind op, uint64_t ns, const Place& place);

  // `thread`, which runs, was made to yield by the processor time that it has
  // used. Should nobody else be able to move, time passes.
  void YieldByForce(Thread& thread);

  // `thread`, which runs, spins in code without sites.
  void SpinsOutside(Thread& thread);

  // `thread` said or showed that it cannot progress alone.
  void Yielded(Thread& thread) { thread.yielding = true; }
  // Something that another thread may be waiting for changed.
  void Progressed(Thread& thread) {
    thread.spin.Progressed();
    fairness_.Changed();
  }
  // A thread read what it had not read before.
  void Learned() { fairness_.Learned(); }

  // Whether a thread other than `writer` spins for any of these bytes.
  bool IsAwaited(const Thread& writer, const void* address,
                 uint64_t bytes) const;

  // Whether a thread that has not ended has an intent on `object`.
  bool AnyIntends(const void* object) const;

  // Whether anything could change while the running thread waits: another one
  // could go on, time could pass, or the world outside could act.
  bool AnythingElse() const;

  // Whether anything could come between two accesses of the running thread:
  // another one, or the handler of a timer that may go off at any time.
  bool AccessesMatter() const { return num_live_ > 1 || timer_may_come_; }

  size_t num_live() const { return num_live_; }
  size_t num_threads() const { return num_threads_; }
  Thread& thread(size_t index) const { return *threads_[index]; }
  Thread& live(size_t index) const { return *live_[index]; }  // by tid
  Thread* running() const { return running_; }
  const EnabledSet& enabled() const { return enabled_; }
  uint64_t steps() const { return steps_; }
  uint64_t points() const { return points_; }
  uint64_t now_ns() const { return now_ns_; }
  // The virtual clock shows at least `until_ns` from now on.
  void PassTime(uint64_t until_ns) {
    if (now_ns_ < until_ns) now_ns_ = until_ns;
    if (now_ns_ >= next_timer_ns_) [[unlikely]]
      Attend();
  }
  // Timers (model/timers.h) were set, or have gone off.
  void TimersChanged();

  // Threads wait for the world outside: it is looked at after some points.
  void LookOutsideSoon();

  // Of the threads that wait; kNoDeadline when none has one.
  uint64_t earliest_deadline_ns() const;

  // Where a strategy that follows a schedule tells how far it came.
  sched::Following& following() { return following_; }
  // False when a schedule must be followed and choices of it are left.
  bool FollowedToTheEnd() const {
    return !must_follow_ || following_.followed == num_to_follow_;
  }

 private:
  bool Ready(const Thread& thread) const {
    return thread.intent.ready == nullptr || thread.intent.ready(thread);
  }
  void Count(Thread& thread) {
    ++thread.count;
    ++points_;
    thread.way = abi::NextWay(thread.way, thread.place.anchor);
  }
  void CountFromHere(Thread& alone);
  void Settle(Thread& thread);
  Intent& WaitFor(Thread& thread, const void* object);
  bool HandleSignals(Thread& thread);
  void LookUp(Thread& from);
  void Pass(Thread& from);
  Thread& PickNext(Thread& from);
  Thread& PickAmongMany(Thread& from);
  size_t Ask(Thread& from, const sched::Point& point);
  // One of two options for `thread`, chosen by the strategy at the count of its
  // last coming to the gate. Option 0 is what happens without it.
  // The running thread has done as much as that where it comes to no point.
  void WorkedOutside(uint64_t points);
  // `thread` has been left alone for long enough: its spin does not end.
  void CannotGoOn(Thread& thread);
  bool Offer(Thread& thread, EventKind op, uint32_t option);
  void OfferTimer(Thread& from);
  bool GoesOnSpinning(Thread& from);
  void TellWhoIsHeld(const Thread& from);
  bool StaysAlone(Thread& from);
  void FireEarliestDeadline(Thread& from);
  uint64_t PatienceWith(EventKind op, uint64_t ns, bool in_earnest) const;
  void BeginsToWait(Thread& thread);
  void LosePatienceBy(uint64_t points);
  void LosePatience(Thread& from);
  void NoteEarly(const Thread& from, uint64_t until);
  void PassDueTime(Thread& from);
  void GiveTurn(const Thread& from);
  void EndTurn();
  Thread* TakesTurn(Thread& from);
  void WhenNobodyCan(Thread& from);
  bool PassTimeOutside();
  bool AwaitOutside(const Thread& from);
  void LookAgain();
  // LookUp is called beyond so many points at the latest.
  void AttendAbove(uint64_t points);
  uint64_t NextLook() const;
  void RemoveLive(const Thread& thread);

  static constexpr uint64_t kNever = ~uint64_t{0};

  EnabledSet enabled_;
  Thread* threads_[abi::kMaxThreads];  // the first num_threads_, by tid
  size_t num_threads_ = 0;
  Thread* live_[abi::kMaxThreads];  // the first num_live_: not ended, by tid
  size_t num_live_ = 0;
  Thread* running_ = nullptr;
  sched::Strategy* strategy_ = nullptr;
  bool watches_all_ = false;  // strategy_ does
  Carrier* carrier_ = nullptr;
  sched::Fairness fairness_;
  // Static, as strategies are set up before Begin.
  static sched::Following following_;
  uint64_t steps_ = 0;   // choices made
  uint64_t points_ = 0;  // comings to the gate
  uint64_t max_points_ = 0;
  // max_points_, or less when there is something else to look at.
  uint64_t attend_above_ = 0;
  uint64_t look_above_ = 0;   // the same for the world outside alone
  bool must_follow_ = false;  // a divergence ends the execution
  uint64_t num_to_follow_ = 0;
  uint64_t max_still_rounds_ = 0;
  uint64_t now_ns_ = 0;                   // the virtual clock
  uint64_t next_timer_ns_ = kNoDeadline;  // when it is due
  // The next timer may go off by choice, or its time is over.
  bool timer_may_come_ = false;
  uint64_t longest_early_ns_ = 0;        // of time-outs and timers
  uint64_t longest_early_sleep_ns_ = 0;  // of sleeps
  // The next point at which it is offered that the timer goes off, and the
  // steps from there to the two behind it: Fibonacci's, which grow and are both
  // odd and even, so that a loop of a few points is met at each of them.
  uint64_t offer_timer_at_ = 0;
  uint64_t offer_steps_[2] = {};
  // gate/gate_patience.cc; all in points.
  bool time_passes_ = false;
  uint64_t patience_at_ = kNever;   // something of the below is due
  uint64_t timer_due_at_ = kNever;  // the next timer goes off at the latest
  uint64_t timer_due_for_ns_ = kNoDeadline;
  uint64_t fair_at_ = 0;      // who stands is looked at
  Thread* given_ = nullptr;   // has the turn, whatever the strategy says
  bool given_taken_ = false;  // and has begun
  uint64_t given_until_ = 0;  // up to here
  uint64_t called_at_ = 0;    // the last coming to the gate at a call's end
  uint32_t calls_since_ = 0;
  sched::Candidate shown_[abi::kMaxThreads];  // room for PickAmongMany
};

extern unsigned char gate_storage[];
inline Gate& gate() { return *reinterpret_cast<Gate*>(gate_storage); }

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_GATE_H_
