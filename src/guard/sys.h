// guard/sys.h
//
// System calls, the clock and memory, without libc: nothing here is a
// cancellation point, sets errno, or is hooked by anybody.
//
// Tier: in-program. Threads: any; async-signal-safe.

#ifndef FAIRLEAD_GUARD_SYS_H_
#define FAIRLEAD_GUARD_SYS_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

namespace fairlead::guard::sys {

inline long Call(long number, long a = 0, long b = 0, long c = 0, long d = 0,
                 long e = 0, long f = 0) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
template <typename T>
long Arg(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

inline bool Failed(long result) { return result < 0 && result > -4096; }

// Zeroed memory that takes no room until it is touched; null = there is none.
inline void* Reserve(size_t bytes) {
  constexpr long kReadWrite = 3;
  constexpr long kPrivateAnonymousNoReserve = 0x4022;
  const long at = Call(SYS_mmap, 0, static_cast<long>(bytes), kReadWrite,
                       kPrivateAnonymousNoReserve, -1, 0);
  return Failed(at) ? nullptr : reinterpret_cast<void*>(at);
}
template <typename T>
T* ReserveArray(size_t count) {
  return static_cast<T*>(Reserve(count * sizeof(T)));
}

// Nanoseconds of CLOCK_MONOTONIC.
inline uint64_t Now() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(now.tv_nsec);
}

inline void Wait(uint32_t* word, uint32_t value, uint64_t ns) {
  constexpr long kWaitPrivate = 128;
  const timespec limit = {static_cast<time_t>(ns / 1'000'000'000),
                          static_cast<long>(ns % 1'000'000'000)};
  Call(SYS_futex, Arg(word), kWaitPrivate, static_cast<long>(value),
       Arg(&limit));
}
inline void Wake(uint32_t* word) {
  constexpr long kWakePrivate = 129;
  Call(SYS_futex, Arg(word), kWakePrivate, 1);
}

}  // namespace fairlead::guard::sys

#endif  // FAIRLEAD_GUARD_SYS_H_
