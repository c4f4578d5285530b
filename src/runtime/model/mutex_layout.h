// runtime/model/mutex_layout.h
//
// A pthread_mutex_t as glibc lays it out. Its type and attributes are read from
// the mutex itself, where pthread_mutex_init or a static initialiser has put
// them. Who holds it is written there too, as glibc would: a child of fork goes
// on with the real functions, a debugger and a curious program see what they
// expect, and a mutex that looks free though it is held has been initialised
// anew by a static initialiser.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_MODEL_MUTEX_LAYOUT_H_
#define FAIRLEAD_RUNTIME_MODEL_MUTEX_LAYOUT_H_

#include <pthread.h>
#include <stdint.h>

#include "abi/ids.h"

namespace fairlead::rt {

class MutexLayout {
 public:
  explicit MutexLayout(const void* mutex)
      : mutex_(
            static_cast<pthread_mutex_t*>(const_cast<void*>(mutex))->__data) {}

  // PTHREAD_MUTEX_NORMAL, _RECURSIVE, _ERRORCHECK or _ADAPTIVE_NP.
  int type() const { return mutex_.__kind & kTypeMask; }
  bool recursive() const { return type() == PTHREAD_MUTEX_RECURSIVE; }
  bool error_checking() const { return type() == PTHREAD_MUTEX_ERRORCHECK; }
  bool robust() const { return (mutex_.__kind & kRobust) != 0; }
  // Also set for robust mutexes of one process.
  bool shared() const { return (mutex_.__kind & kShared) != 0; }
  bool destroyed() const { return mutex_.__kind == kDestroyedKind; }

  // Whether POSIX says so; glibc refuses some more.
  bool must_refuse_strangers() const {
    return recursive() || error_checking() || robust();
  }
  // Whether POSIX says so of waiting on a condition variable without it.
  bool must_refuse_waiters() const { return error_checking() || robust(); }
  // Whether unlocking by another thread than the owner is refused (EPERM).
  bool refuses_strangers() const {
    return recursive() || error_checking() ||
           (mutex_.__kind & (kRobust | kPrioInherit)) != 0;
  }

  // Whether the owner's try is EDEADLK rather than EBUSY: glibc looks for it
  // only in error-checking mutexes that are not plain.
  bool try_checks_owner() const { return error_checking() && !IsPlain(); }

  // How many threads hold it or will hold it again after a wait. Unlocking a
  // free mutex takes this below zero, and destroying fails then.
  unsigned users() const { return mutex_.__nusers; }
  void add_user() { ++mutex_.__nusers; }
  void remove_user() { --mutex_.__nusers; }

  void SetHeld(abi::Tid owner, uint32_t depth) {
    mutex_.__owner = kFirstOwner + static_cast<int>(owner);
    if (recursive()) mutex_.__count = depth;
    if (IsPlain()) mutex_.__lock = 1;
  }
  void SetFree() {
    mutex_.__owner = 0;
    if (recursive()) mutex_.__count = 0;
    if (IsPlain()) mutex_.__lock = 0;
  }
  bool LooksFree() const { return IsPlain() && mutex_.__lock == 0; }

 private:
  static constexpr int kTypeMask = 3;
  static constexpr int kRobust = 16;
  static constexpr int kPrioInherit = 32;
  static constexpr int kPrioProtect = 64;
  static constexpr int kShared = 128;
  static constexpr int kDestroyedKind = -1;
  // No kernel thread has such a number.
  static constexpr int kFirstOwner = 0x2000'0000;

  // The word of the other kinds has a meaning to the kernel or holds a ceiling.
  bool IsPlain() const {
    return (mutex_.__kind & (kRobust | kPrioInherit | kPrioProtect)) == 0;
  }

  __pthread_mutex_s& mutex_;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_MUTEX_LAYOUT_H_
