// guard/filter.cc
//
// A program that is about to filter its system calls (seccomp) is guarded no
// longer: the filter holds for ours as well, which it does not know, and may
// end the process for one of them. So we stand in front of the two functions of
// libc that lead to a filter, prctl and syscall; from then on we make none.
//
// Unsound: a filter that is installed by a system call of the program's own
// code, without libc, is not seen.

#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "guard/board.h"
#include "guard/real.h"
#include "guard/stall.h"
#include "guard/sys.h"

namespace fairlead::guard {
namespace {

// Those who are stalled come back first.
void AwaitStalls() {
  const uint64_t begin = sys::Now();
  while (__atomic_load_n(&num_waiters, __ATOMIC_SEQ_CST) != 0 &&
         sys::Now() - begin < 2 * options.stall_ns) {
    WakeAll();
    sys::Call(SYS_sched_yield);
  }
}

}  // namespace
}  // namespace fairlead::guard

using namespace fairlead::guard;

extern "C" {

// Called ahead of a call of libc's syscall(), whose first arguments these are.
__attribute__((visibility("hidden"), used)) void __fl_before_call(long number,
                                                                  long first) {
  Real();
  const bool filters =
      (number == SYS_seccomp && first != SECCOMP_GET_ACTION_AVAIL &&
       first != SECCOMP_GET_NOTIF_SIZES) ||
      (number == SYS_prctl && first == PR_SET_SECCOMP);
  if (!filters) return;
  SwitchOff("the program filters system calls (seccomp), also ours");
  AwaitStalls();
  RemoveBoard();
}

__attribute__((visibility("default"))) int prctl(int option, ...) noexcept {
  va_list arguments;
  va_start(arguments, option);
  unsigned long a[4];
  for (unsigned long& argument : a) argument = va_arg(arguments, unsigned long);
  va_end(arguments);
  __fl_before_call(SYS_prctl, option);
  return Real().prctl(option, a[0], a[1], a[2], a[3]);
}

// A jump, so that what comes back twice, or on another stack, does so as from
// libc's. Pushes seven words: the stack is aligned for the call then.
__attribute__((visibility("default"), naked)) long syscall(long, ...) noexcept {
  asm volatile(
      "endbr64\n\t"
      "pushq %%rdi\n\t"
      "pushq %%rsi\n\t"
      "pushq %%rdx\n\t"
      "pushq %%rcx\n\t"
      "pushq %%r8\n\t"
      "pushq %%r9\n\t"
      "pushq %%rax\n\t"
      "call __fl_before_call\n\t"
      "popq %%rax\n\t"
      "popq %%r9\n\t"
      "popq %%r8\n\t"
      "popq %%rcx\n\t"
      "popq %%rdx\n\t"
      "popq %%rsi\n\t"
      "popq %%rdi\n\t"
      "jmp *%c0+_ZN8fairlead5guard14real_functionsE(%%rip)"
      :
      : "i"(__builtin_offsetof(RealFunctions, syscall)));
}

}  // extern "C"
