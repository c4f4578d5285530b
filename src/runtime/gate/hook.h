// runtime/gate/hook.h
//
// The scope of a hook. Each intercepted function opens one first, and asks it
// whether the call is under control; if not, the real function does the work.
//
//   extern "C" FL_HOOK int pthread_mutex_lock(pthread_mutex_t* mutex) {
//     HookScope hook(FL_CALLER);
//     if (!hook.controlled()) return real().pthread_mutex_lock(mutex);
//     return LockMutex(hook.thread(), mutex, hook.place());
//   }
//
// The rules that all hooks obey are in runtime/README.md.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_GATE_HOOK_H_
#define FAIRLEAD_RUNTIME_GATE_HOOK_H_

#include <errno.h>

#include "runtime/gate/deliver.h"
#include "runtime/sites/nodes.h"
#include "runtime/sites/sites.h"
#include "runtime/thread/program_sp.h"
#include "runtime/thread/thread.h"

#define FL_HOOK __attribute__((visibility("default"), noinline))
#define FL_CALLER __builtin_return_address(0)
// Another name by which libc exports `function`, a hook defined above.
#define FL_HOOK_ALIAS(alias_name, function)        \
  extern "C" __attribute__((visibility("default"), \
                            alias(#function))) decltype(function) alias_name

namespace fairlead::rt {

// Counts the calling thread, once, as one that we did not start.
void NoteForeignThread();

class HookScope {
 public:
  // Inlined, so that the frame is that of the intercepted function.
  __attribute__((always_inline)) explicit HookScope(const void* caller)
      : thread_(tls_self), caller_(caller), errno_(errno) {
    if (thread_ == nullptr) {
      if (!tls_known) [[unlikely]]
        NoteForeignThread();
      return;
    }
    // The runtime itself, or libc on its behalf: not the program's doing.
    if (thread_->slot.inside != 0) {
      thread_ = nullptr;
    } else {
      thread_->slot.inside = 1;
      count_ = thread_->count;
      program_sp[abi::Index(thread_->tid)] = FL_CALLERS_SP;
      thread_->unflushed = 0;  // ahead of a call, frames tell their slot
      SettleContext(*thread_);
      if (thread_->leave.due) [[unlikely]]
        CancelNow();
    }
  }
  ~HookScope() {
    if (thread_ == nullptr) return;
    if (thread_->signals.due && thread_->count != count_) [[unlikely]]
      DeliverBehind(*thread_);
    thread_->slot.inside = 0;
    program_sp[abi::Index(thread_->tid)] = nullptr;
    errno = errno_;
  }
  HookScope(const HookScope&) = delete;
  HookScope& operator=(const HookScope&) = delete;

  // False: pass the call on to the real function.
  bool controlled() const { return thread_ != nullptr; }

  // The rest only when controlled().
  Thread& thread() const { return *thread_; }
  Place place() const { return PlaceOfCall(*thread_, caller_); }

  // For functions that report failure through errno: what it will be when the
  // scope ends. Returns -1, as such functions do.
  int Fail(int error) {
    errno_ = error;
    if (thread_ == nullptr) errno = error;
    return -1;
  }

 private:
  // Acts on an asynchronous cancellation (intercept/cancel.cc).
  [[noreturn]] void CancelNow();

  Thread* thread_;
  const void* caller_;
  uint32_t count_ = 0;  // thread_->count, when it called
  int errno_;
};

// The reverse, around code of the program that the runtime calls (a thread's
// start routine, a destructor, an initialiser): hooks are in force again.
class ProgramScope {
 public:
  explicit ProgramScope(Thread& thread) : thread_(thread) {
    inside_ = thread.slot.inside;
    thread.slot.inside = 0;
  }
  ~ProgramScope() { thread_.slot.inside = inside_; }
  ProgramScope(const ProgramScope&) = delete;
  ProgramScope& operator=(const ProgramScope&) = delete;

 private:
  Thread& thread_;
  uint8_t inside_;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_HOOK_H_
