#include "runtime/model/clock.h"

#include "runtime/gate/gate.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kLookTakes = 1'000;
constexpr clockid_t kNumClocks = CLOCK_TAI + 1;

// By clock; 0 = nobody has asked yet.
uint64_t starts[kNumClocks];

}  // namespace

bool IsVirtual(clockid_t clock) {
  return clock >= 0 && clock < kNumClocks &&
         clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

uint64_t StartOfClock(clockid_t clock) {
  uint64_t& start = starts[clock];
  if (start == 0) {
    timespec now = {};
    sys::Call(SYS_clock_gettime, clock, sys::Arg(&now));
    start = static_cast<uint64_t>(now.tv_sec) * kSecond +
            static_cast<uint64_t>(now.tv_nsec);
  }
  return start;
}

timespec ReadClock(clockid_t clock) {
  gate().PassTime(gate().now_ns() + kLookTakes);
  const uint64_t now = StartOfClock(clock) + gate().now_ns();
  return {.tv_sec = static_cast<time_t>(now / kSecond),
          .tv_nsec = static_cast<long>(now % kSecond)};
}

}  // namespace fairlead::rt
