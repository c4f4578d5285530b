// runtime/model/deadline.h
//
// Deadlines of timed waits, as the gate orders them. A deadline fires only when
// no thread can move otherwise, the earliest first; how far away it is in real
// time does not matter.
//
// Unsound: a time-out that comes before another thread has moved is never
// tried. Deadlines on different clocks are compared as if on one.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_MODEL_DEADLINE_H_
#define FAIRLEAD_RUNTIME_MODEL_DEADLINE_H_

#include <stdint.h>
#include <time.h>

#include "runtime/gate/thread.h"

namespace fairlead::rt {

// What a deadline with a nonsensical tv_nsec becomes: the call fails (EINVAL).
inline constexpr uint64_t kBadDeadline = kNoDeadline - 1;

// An absolute time in nanoseconds; 0 for times before the epoch.
inline uint64_t DeadlineOf(const timespec* when) {
  if (when->tv_nsec < 0 || when->tv_nsec >= 1'000'000'000) return kBadDeadline;
  if (when->tv_sec < 0) return 0;
  constexpr uint64_t kMaxSeconds = kBadDeadline / 1'000'000'000 - 1;
  const auto seconds = static_cast<uint64_t>(when->tv_sec);
  if (seconds > kMaxSeconds) return kBadDeadline - 1;
  return seconds * 1'000'000'000 + static_cast<uint64_t>(when->tv_nsec);
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_DEADLINE_H_
