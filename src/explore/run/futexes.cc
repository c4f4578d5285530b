#include "explore/run/futexes.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace fairlead::explore {
namespace {

using std::chrono::milliseconds;

// Kernels before 5.16 cannot wait for several words: then the first is waited
// for, and the others are looked at this often.
constexpr milliseconds kLookAtOthers(1);

timespec Timespec(std::chrono::nanoseconds span) {
  return {.tv_sec = span.count() / 1'000'000'000,
          .tv_nsec = span.count() % 1'000'000'000};
}

bool SleepOn(const FutexWord& word, milliseconds limit) {
  const timespec span = Timespec(limit);
  return syscall(SYS_futex, word.word, FUTEX_WAIT, word.value, &span, nullptr,
                 0) == 0 ||
         errno != ETIMEDOUT;
}

}  // namespace

void WakeFutex(const void* word) {
  syscall(SYS_futex, word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

bool SleepOnAny(std::span<const FutexWord> words, milliseconds limit) {
  if (words.size() == 1) return SleepOn(words[0], limit);
  futex_waitv waits[FUTEX_WAITV_MAX];
  const size_t number = std::min<size_t>(words.size(), FUTEX_WAITV_MAX);
  for (size_t i = 0; i < number; ++i) {
    waits[i] = {.val = words[i].value,
                .uaddr = reinterpret_cast<uint64_t>(words[i].word),
                .flags = FUTEX_32,
                .__reserved = 0};
  }
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const timespec until =
      Timespec(std::chrono::seconds(now.tv_sec) +
               std::chrono::nanoseconds(now.tv_nsec) + limit);
  if (syscall(SYS_futex_waitv, waits, number, 0, &until, CLOCK_MONOTONIC) >=
      0) {
    return true;
  }
  if (errno == ENOSYS && !words.empty()) {
    return SleepOn(words[0], std::min(limit, kLookAtOthers));
  }
  return errno != ETIMEDOUT;
}

}  // namespace fairlead::explore
