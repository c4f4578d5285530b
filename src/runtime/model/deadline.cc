#include "runtime/model/deadline.h"

#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/clock.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
// Far beyond the life of any program, and no sum of a few of them overflows.
constexpr uint64_t kMaxSeconds = (kNoDeadline >> 2) / kSecond;

using ArriveFunction = Wake (*)(Thread&, Intent, const Place&);

Wake ArrivePlainly(Thread& thread, Intent intent, const Place& place) {
  return gate().Arrive(thread, intent, place);
}

// Whether the deadline passes before what the thread waits for happens.
bool PassesFirst(Thread& thread, const Intent& intent, const Place& place) {
  if (intent.deadline_ns == kNoDeadline) return false;
  if (intent.deadline_ns <= gate().now_ns()) return true;
  const uint64_t left = intent.deadline_ns - gate().now_ns();
  if (left > gate().LongestEarlyOf(intent.op)) return false;
  thread.place = place;
  if (gate().Choose(thread, intent.op, 2) == 0) return false;
  gate().PassedEarly(intent.op, left, place);
  return true;
}

Wake AwaitBy(ArriveFunction arrive, Thread& thread, Intent intent,
             const Place& place) {
  if (!PassesFirst(thread, intent, place)) {
    return arrive(thread, intent, place);
  }
  intent.ready = nullptr;
  const Wake wake = arrive(thread, intent, place);
  if (wake != Wake::kReady) return wake;
  gate().PassTime(intent.deadline_ns);
  return Wake::kTimedOut;
}

}  // namespace

uint64_t DurationOf(const timespec* time) {
  if (time->tv_nsec < 0 || static_cast<uint64_t>(time->tv_nsec) >= kSecond) {
    return kBadDeadline;
  }
  if (time->tv_sec < 0) return 0;
  uint64_t seconds = static_cast<uint64_t>(time->tv_sec);
  if (seconds > kMaxSeconds) seconds = kMaxSeconds;
  return seconds * kSecond + static_cast<uint64_t>(time->tv_nsec);
}

uint64_t DeadlineOf(const Until& until) {
  if (until.when == nullptr) return kNoDeadline;
  const uint64_t time = DurationOf(until.when);
  if (time == kBadDeadline) return kBadDeadline;
  const uint64_t start = StartOfClock(until.clock);
  return time > start ? time - start : 0;
}

Wake Await(Thread& thread, const Intent& intent, const Place& place) {
  return AwaitBy(ArrivePlainly, thread, intent, place);
}

Wake AwaitCancelable(Thread& thread, const Intent& intent, const Place& place) {
  return AwaitBy(ArriveCancelable, thread, intent, place);
}

}  // namespace fairlead::rt
