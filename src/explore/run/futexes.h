// explore/run/futexes.h
//
// Sleeping until one of several words in shared memory changes.

#ifndef FAIRLEAD_EXPLORE_RUN_FUTEXES_H_
#define FAIRLEAD_EXPLORE_RUN_FUTEXES_H_

#include <chrono>
#include <cstdint>
#include <span>

namespace fairlead::explore {

// A 32-bit word and what it was when last seen.
struct FutexWord {
  const void* word;
  uint32_t value;
};

void WakeFutex(const void* word);

// Sleeps until one of `words` is no longer its value and somebody says so, a
// signal arrives, or `limit` has passed. May return for no reason. False when
// the time was over.
bool SleepOnAny(std::span<const FutexWord> words,
                std::chrono::milliseconds limit);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_FUTEXES_H_
