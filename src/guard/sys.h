// guard/sys.h
//
// System calls, the clock and memory, without libc: nothing here is a
// cancellation point, sets errno, or is hooked by anybody.
//
// Tier: in-program. Threads: any; async-signal-safe.

#ifndef FAIRLEAD_GUARD_SYS_H_
#define FAIRLEAD_GUARD_SYS_H_

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
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

// What the program has asked for as its limit; RLIM_INFINITY = none, or it is
// not known.
inline uint64_t LimitOf(int resource) {
  rlimit64 limit = {RLIM64_INFINITY, RLIM64_INFINITY};
  Call(SYS_prlimit64, 0, resource, 0, Arg(&limit));
  return limit.rlim_cur;
}

// While one exists, signals of this set wait. One that a call of ours brought
// meanwhile, about a limit of files, is taken back by `Taken`.
class Blocked {
 public:
  explicit Blocked(uint64_t signals) {
    Call(SYS_rt_sigprocmask, SIG_BLOCK, Arg(&signals), Arg(&before_), kBytes);
  }
  ~Blocked() {
    Call(SYS_rt_sigprocmask, SIG_SETMASK, Arg(&before_), 0, kBytes);
  }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

  // The result of a call that fails with EFBIG when a limit is reached.
  static long Taken(long result) {
    const uint64_t one = uint64_t{1} << (SIGXFSZ - 1);
    const timespec at_once = {};
    if (result == -EFBIG) {
      Call(SYS_rt_sigtimedwait, Arg(&one), 0, Arg(&at_once), kBytes);
    }
    return result;
  }

 private:
  static constexpr long kBytes = sizeof(uint64_t);
  uint64_t before_ = 0;
};
inline constexpr uint64_t kSizeSignal = uint64_t{1} << (SIGXFSZ - 1);
// All that may come at any time; a fault of our own must not be held back.
inline constexpr uint64_t kAsynchronous =
    ~(uint64_t{1} << (SIGSEGV - 1) | uint64_t{1} << (SIGBUS - 1) |
      uint64_t{1} << (SIGILL - 1) | uint64_t{1} << (SIGFPE - 1) |
      uint64_t{1} << (SIGTRAP - 1) | uint64_t{1} << (SIGSYS - 1));

// Writes to a file that may have reached a limit (ulimit -f), of which the
// program hears nothing.
inline long Write(long fd, const char* text, size_t bytes) {
  const Blocked signal(kSizeSignal);
  return Blocked::Taken(
      Call(SYS_write, fd, Arg(text), static_cast<long>(bytes)));
}

// Gives a new file memory of its own, so that touching it later cannot fail.
// False: there is none.
inline bool Furnish(long fd, size_t bytes) {
  const Blocked signal(kSizeSignal);
  const auto length = static_cast<long>(bytes);
  const long made = Blocked::Taken(Call(SYS_fallocate, fd, 0, 0, length));
  if (made != -EOPNOTSUPP) return made == 0;
  return Blocked::Taken(Call(SYS_ftruncate, fd, length)) == 0;
}

}  // namespace fairlead::guard::sys

#endif  // FAIRLEAD_GUARD_SYS_H_
