#include "runtime/model/clock.h"

#include "runtime/gate/gate.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kLookTakes = 1'000;
// After so many looks a look takes twice as long, three times after twice as
// many, and so on: who looks so often waits for the time to pass, or works
// until it has.
constexpr uint64_t kLooksPerStep = 4'096;
constexpr uint64_t kMostSteps = 100;
// What a point counts for on clocks of processor time.
constexpr uint64_t kPointTakes = 100;
constexpr clockid_t kNumClocks = CLOCK_TAI + 1;

// 2026-01-01 00:00:00 UTC, and a machine that has been up for a day.
constexpr uint64_t kDate = 1'767'225'600 * kSecond;
constexpr uint64_t kUptime = 86'400 * kSecond;

// In another world it is later, by no round number of anything.
constexpr uint64_t kLaterPerWorld = 1'234'567'890'123;

uint64_t Later() { return control_page()->plan.other_world * kLaterPerWorld; }

uint64_t looks = 0;      // at any clock, so far
uint64_t looked_ns = 0;  // that these have taken

void TakeLook() {
  uint64_t steps = 1;
  if (PlanAsks(abi::kPlanTimePasses)) {
    steps += looks / kLooksPerStep;
    if (steps > kMostSteps) steps = kMostSteps;
  }
  ++looks;
  looked_ns += steps * kLookTakes;
  gate().PassTime(gate().now_ns() + steps * kLookTakes);
}

}  // namespace

bool IsVirtual(clockid_t clock) { return clock >= 0 && clock < kNumClocks; }

// How the kernel packs it: three bits of kind, of which one says that it is a
// thread's, below the complement of its number.
bool IsOfThread(clockid_t clock) {
  constexpr int kKind = 3;
  constexpr int kDevice = 3;
  constexpr int kThread = 4;
  return clock < 0 && (clock & kKind) != kDevice && (clock & kThread) != 0;
}

uint64_t StartOfClock(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
      return kDate + Later();
    default:
      return kUptime + Later();
  }
}

timespec ReadClock(clockid_t clock) {
  TakeLook();
  const bool work = clock == CLOCK_PROCESS_CPUTIME_ID ||
                    clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
  const uint64_t now = work ? looked_ns + gate().points() * kPointTakes
                            : StartOfClock(clock) + gate().now_ns();
  return {.tv_sec = static_cast<time_t>(now / kSecond),
          .tv_nsec = static_cast<long>(now % kSecond)};
}

}  // namespace fairlead::rt
