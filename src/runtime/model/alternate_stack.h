// runtime/model/alternate_stack.h
//
// sigaltstack, per thread of the program. The kernel's own setting is ours
// (intercept/faults.h) and never shown.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_ALTERNATE_STACK_H_
#define FAIRLEAD_RUNTIME_MODEL_ALTERNATE_STACK_H_

#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// SS_AUTODISARM: not set while a handler runs on it.
inline constexpr int kAutoDisarm = static_cast<int>(1u << 31);

inline bool OnAlternate(const Thread& thread, const void* address) {
  const stack_t& stack = thread.signals.stack;
  const auto* at = static_cast<const char*>(address);
  const auto* begin = static_cast<const char*>(stack.ss_sp);
  return at >= begin && at < begin + stack.ss_size;
}

// Whether a handler with SA_ONSTACK is to move to the alternate stack.
inline bool MayUseAlternate(const Thread& thread) {
  return thread.signals.stack.ss_size != 0 &&
         !OnAlternate(thread, __builtin_frame_address(0));
}

inline char* TopOfAlternate(const Thread& thread) {
  const stack_t& stack = thread.signals.stack;
  return reinterpret_cast<char*>(
      (reinterpret_cast<uintptr_t>(stack.ss_sp) + stack.ss_size) &
      ~uintptr_t{15});
}

// sigaltstack(); `frame` is the caller's. 0 or an error.
inline int SetAlternateStack(Thread& thread, const stack_t* wanted,
                             stack_t* old, const void* frame) {
  stack_t& stack = thread.signals.stack;
  const bool on_it = OnAlternate(thread, frame);
  if (old != nullptr) {
    *old = stack;
    old->ss_flags =
        (stack.ss_flags & kAutoDisarm) | (on_it                ? SS_ONSTACK
                                          : stack.ss_size == 0 ? SS_DISABLE
                                                               : 0);
  }
  if (wanted == nullptr) return 0;
  if (on_it) return EPERM;
  const int mode = wanted->ss_flags & ~kAutoDisarm;
  if (mode == SS_DISABLE) {
    stack = {};
    return 0;
  }
  if (mode != 0 && mode != SS_ONSTACK) return EINVAL;
  constexpr size_t kLeast = 2048;  // the kernel's own
  if (wanted->ss_size < kLeast) return ENOMEM;
  stack = *wanted;
  return 0;
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_ALTERNATE_STACK_H_
