// runtime/sys/syscall.h
//
// System calls made directly, past libc: nothing here can be intercepted, sets
// errno, or is a cancellation point. Results are the kernel's: negative errno
// on failure.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_SYS_SYSCALL_H_
#define FAIRLEAD_RUNTIME_SYS_SYSCALL_H_

#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

namespace fairlead::rt::sys {

inline long Call(long number, long a = 0, long b = 0, long c = 0, long d = 0,
                 long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline long Arg(const volatile void* p) { return reinterpret_cast<long>(p); }
inline bool Failed(long result) { return result < 0 && result >= -4095; }

inline long Write(int fd, const void* bytes, size_t size) {
  return Call(SYS_write, fd, Arg(bytes), static_cast<long>(size));
}
inline long Close(int fd) { return Call(SYS_close, fd); }

// Null on failure.
inline void* Map(void* at, size_t size, int protection, int flags, int fd = -1,
                 long offset = 0) {
  const long result = Call(SYS_mmap, Arg(at), static_cast<long>(size),
                           protection, flags, fd, offset);
  return Failed(result) ? nullptr : reinterpret_cast<void*>(result);
}
inline long Unmap(void* at, size_t size) {
  return Call(SYS_munmap, Arg(at), static_cast<long>(size));
}
inline long Protect(void* at, size_t size, int protection) {
  return Call(SYS_mprotect, Arg(at), static_cast<long>(size), protection);
}

// Sleeps while *word == expected; returns 0, -EAGAIN, -EINTR or -ETIMEDOUT.
inline long FutexWait(const void* word, uint32_t expected,
                      const timespec* timeout, int flag) {
  return Call(SYS_futex, Arg(word), FUTEX_WAIT | flag,
              static_cast<long>(expected), Arg(timeout));
}
inline long FutexWake(const void* word, int count, int flag) {
  return Call(SYS_futex, Arg(word), FUTEX_WAKE | flag, count);
}

inline int GetPid() { return static_cast<int>(Call(SYS_getpid)); }
inline int GetTid() { return static_cast<int>(Call(SYS_gettid)); }
inline bool ProcessExists(int pid) { return Call(SYS_kill, pid, 0) == 0; }

[[noreturn]] inline void ExitGroup(int code) {
  for (;;) Call(SYS_exit_group, code);
}

}  // namespace fairlead::rt::sys

#endif  // FAIRLEAD_RUNTIME_SYS_SYSCALL_H_
