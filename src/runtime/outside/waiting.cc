#include "runtime/outside/waiting.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/model/cancel.h"
#include "runtime/model/deadline.h"
#include "runtime/model/shared.h"
#include "runtime/outside/arrivals.h"
#include "runtime/outside/signal_fds.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
// The value of a readiness that never came.
constexpr uint64_t kNeverReady = ~uint64_t{0};
// Descriptors that one real wait can be about; a second process that shares
// them with us apart, more are looked at every kPause.
constexpr size_t kMostWatched = 512;
constexpr uint64_t kPause = 1'000'000;

OutsideWait* parked = nullptr;

uint64_t RealNow() {
  timespec now = {};
  sys::Call(SYS_clock_gettime, CLOCK_MONOTONIC, sys::Arg(&now));
  return static_cast<uint64_t>(now.tv_sec) * kSecond +
         static_cast<uint64_t>(now.tv_nsec);
}

// Like poll, in nanoseconds; kNoDeadline = for ever. With `mask` as the
// kernel's signal mask meanwhile, if it is not null.
long PollFor(pollfd* fds, size_t num_fds, uint64_t ns,
             const SignalSet* mask = nullptr) {
  timespec time = {.tv_sec = static_cast<time_t>(ns / kSecond),
                   .tv_nsec = static_cast<long>(ns % kSecond)};
  return sys::Call(SYS_ppoll, sys::Arg(fds), static_cast<long>(num_fds),
                   ns == kNoDeadline ? 0 : sys::Arg(&time), sys::Arg(mask),
                   sizeof(SignalSet));
}

bool IsReady(const Thread& thread) {
  return static_cast<const OutsideWait*>(thread.intent.state)->ready;
}

// Looks whether `wait` is over by now.
void LookForEnd(OutsideWait& wait) {
  if (wait.foreign && inputs().fed()) {
    const abi::InputRecord* record = inputs().Peek(wait.thread->tid);
    if (record != nullptr && record->kind == abi::InputKind::kReadiness) {
      wait.ready = record->value <= inputs().moment();
      return;
    }
    // It still waited when that execution ended, by a signal for instance.
    if (record == nullptr && inputs().must_follow()) {
      wait.ready = false;
      return;
    }
    // Settled when the wait ends.
    wait.ready = true;
    return;
  }
  if (wait.foreign && wait.ready) return;  // once found, it stays so
  wait.ready = wait.look != nullptr ? wait.look(wait)
                                    : PollFor(wait.fds, wait.num_fds, 0) != 0;
  wait.moment = inputs().moment();
}

// The wait is over: what became of it is an input. It is written down only now,
// where an execution that follows takes it.
void Settle(OutsideWait& wait) {
  if (!wait.foreign) return;
  const Tid tid = wait.thread->tid;
  if (inputs().fed()) {
    inputs().Take(tid, abi::InputKind::kReadiness);
  } else {
    inputs().Record(tid, abi::InputKind::kReadiness,
                    wait.ready ? wait.moment : kNeverReady);
  }
}

void Park(OutsideWait& wait) {
  OutsideWait** link = &parked;
  while (*link != nullptr) link = &(*link)->next;
  *link = &wait;
  gate().LookOutsideSoon();
}

void Unpark(OutsideWait& wait) {
  OutsideWait** link = &parked;
  while (*link != &wait) link = &(*link)->next;
  *link = wait.next;
}

// The descriptors of all parked threads. False when these cannot tell all, and
// must be looked at again soon.
bool Gather(pollfd* fds, size_t& num_fds) {
  num_fds = 0;
  for (const OutsideWait* wait = parked; wait != nullptr; wait = wait->next) {
    if (wait->unannounced) return false;
    for (uint32_t i = 0; i < wait->num_fds; ++i) {
      if (num_fds == kMostWatched) return false;
      fds[num_fds++] = wait->fds[i];
    }
  }
  return true;
}

void WaitReally(uint64_t ns) {
  static pollfd fds[kMostWatched];
  size_t num_fds = 0;
  if (!Gather(fds, num_fds) && ns > kPause) ns = kPause;
  emitter().Publish();
  const uint64_t begin = RealNow();
  const RealWait real;
  if (!real.has_arrived()) PollFor(fds, num_fds, ns, &real.mask());
  gate().PassTime(gate().now_ns() + (RealNow() - begin));
}

Wake Arrive(Call& call, const Intent& intent, bool may_time_out) {
  Thread& thread = *call.thread;
  const Place place = call.place();
  // Only libc's functions are cancellation points; a system call that libc
  // makes for its own purposes is not.
  if (call.frame == nullptr) {
    return may_time_out ? AwaitCancelable(thread, intent, place)
                        : ArriveCancelable(thread, intent, place);
  }
  return may_time_out ? Await(thread, intent, place)
                      : gate().Arrive(thread, intent, place);
}

}  // namespace

void ArriveOutside(Call& call, EventKind op, const void* object) {
  gate().Arrive(*call.thread, {.op = op, .object = object}, call.place());
}

Wake AwaitOutside(Call& call, OutsideWait& wait, const void* object,
                  uint64_t deadline_ns) {
  Thread& thread = *call.thread;
  wait.thread = &thread;
  wait.ready = false;
  inputs().NextMoment();
  LookForEnd(wait);
  const Intent intent = {.op = EventKind::kUse,
                         .object = object,
                         .ready = IsReady,
                         .state = &wait,
                         .deadline_ns = deadline_ns,
                         .in_earnest = wait.foreign,
                         .interruption = wait.interruption};
  const bool waits = !wait.ready;
  if (waits) {
    thread.place = call.place();
    emitter().Emit(thread, EventKind::kPark, 0, nullptr,
                   static_cast<uint64_t>(call.number));
  }
  Park(wait);
  const Wake wake = Arrive(call, intent, waits && !wait.foreign);
  Unpark(wait);
  Settle(wait);
  if (waits) {
    emitter().Emit(thread, EventKind::kUnpark,
                   wake == Wake::kTimedOut ? abi::kFlagTimedOut : 0, nullptr,
                   static_cast<uint64_t>(call.number));
  }
  return wake;
}

long EndedEarly(Call& call, Wake wake) {
  if (wake == Wake::kCanceled) CancelSelf(*call.thread);
  return -EINTR;
}

void OutsideChanged() {
  if (parked != nullptr) LookOutside();
}

void FoundNothing(Call& call, bool foreign, long what) {
  Thread& thread = *call.thread;
  if (!thread.spin.Saw(static_cast<uint64_t>(thread.place.anchor),
                       static_cast<uint64_t>(what), 0)) {
    return;
  }
  if (foreign && !inputs().fed()) {
    LetOthersRun(thread, 1);
  } else {
    gate().Yielded(thread);
  }
}

void DescribeOutside(Text& text, const Thread& thread) {
  const auto* wait = static_cast<const OutsideWait*>(thread.intent.state);
  if (wait == nullptr) {
    text.Put("is about to use a descriptor");
    return;
  }
  constexpr uint32_t kMostNamed = 4;
  const char* separator = "";
  text.Put("waits ");
  if (wait->look != nullptr) {
    text.Put("for ").Put(wait->what);
  } else if (wait->num_fds == 0) {
    text.Put("for its time to pass");
  }
  for (uint32_t i = 0;
       wait->look == nullptr && i < wait->num_fds && i < kMostNamed; ++i) {
    const pollfd& fd = wait->fds[i];
    text.Put(separator).Put((fd.events & POLLOUT) != 0 ? "to write to"
                                                       : "to read from");
    text.Put(" descriptor ").Decimal(static_cast<uint64_t>(fd.fd));
    separator = " or ";
  }
  if (wait->num_fds > kMostNamed) text.Put(" or others");
  if (wait->foreign) text.Put(" (which others than this program may serve)");
}

bool AnyParked() { return parked != nullptr; }

bool AnyForeignParked() {
  for (const OutsideWait* wait = parked; wait != nullptr; wait = wait->next) {
    if (wait->foreign) return true;
  }
  return false;
}

SignalSet SignalsAwaitedOutside() {
  SignalSet set = 0;
  for (const OutsideWait* wait = parked; wait != nullptr; wait = wait->next) {
    for (uint32_t i = 0; i < wait->num_fds; ++i) {
      set |= SignalsOf(wait->fds[i].fd);
    }
  }
  return set;
}

void LookOutside() {
  inputs().NextMoment();
  for (OutsideWait* wait = parked; wait != nullptr; wait = wait->next) {
    const bool was = wait->ready;
    LookForEnd(*wait);
    if (wait->ready != was && wait->thread->wake == Wake::kReady) {
      gate().Interrupt(*wait->thread, Wake::kReady);
    }
  }
}

bool IsReadyWithin(uint64_t ns) {
  static pollfd fds[kMostWatched];
  size_t num_fds = 0;
  Gather(fds, num_fds);
  emitter().Publish();
  const RealWait real;
  if (real.has_arrived()) return false;
  return PollFor(fds, num_fds, ns, &real.mask()) > 0;
}

bool WaitOutside(uint64_t deadline_ns) {
  if (parked == nullptr) return false;
  const size_t enabled = gate().enabled().size();
  LookOutside();
  if (gate().enabled().size() > enabled) return true;
  if (!AnyForeignParked()) return false;
  const abi::InputRecord* record = nullptr;
  if (inputs().fed()) {
    record = inputs().Take(Tid::kNone, abi::InputKind::kTime);
    if (record != nullptr) gate().PassTime(record->value);
  }
  if (record == nullptr) {
    const uint64_t now = gate().now_ns();
    WaitReally(deadline_ns == kNoDeadline ? kNoDeadline
               : deadline_ns > now        ? deadline_ns - now
                                          : 0);
    inputs().Record(Tid::kNone, abi::InputKind::kTime, gate().now_ns());
  }
  LookOutside();
  return gate().enabled().size() > enabled || gate().now_ns() < deadline_ns;
}

}  // namespace fairlead::rt
