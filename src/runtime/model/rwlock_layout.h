// runtime/model/rwlock_layout.h
//
// A pthread_rwlock_t as glibc lays it out: its attributes, and who holds it,
// written there for the same reasons as with mutexes (model/mutex_layout.h).
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_MODEL_RWLOCK_LAYOUT_H_
#define FAIRLEAD_RUNTIME_MODEL_RWLOCK_LAYOUT_H_

#include <pthread.h>
#include <stdint.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

class RwlockLayout {
 public:
  explicit RwlockLayout(const void* lock)
      : lock_(static_cast<pthread_rwlock_t*>(const_cast<void*>(lock))->__data) {
  }

  bool shared() const { return lock_.__shared != 0; }
  // Whether a waiting writer keeps new readers out.
  bool holds_readers_off() const {
    return lock_.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
  }

  void Show(const Thread* writer, uint32_t num_reads) {
    lock_.__cur_writer =
        writer == nullptr ? 0 : kFirstOwner + static_cast<int>(writer->tid);
    lock_.__readers =
        writer != nullptr ? kWritePhase | kWriteLocked : num_reads * kOneReader;
    lock_.__wrphase_futex = writer != nullptr;
    lock_.__writers_futex = writer != nullptr;
  }
  bool LooksFree() const { return lock_.__readers == 0; }

  // In padding, which every initialiser fills with zeros.
  void MarkDestroyed() { lock_.__pad3 = kDestroyedMark; }
  bool TakeDestroyedMark() {
    const bool marked = lock_.__pad3 == kDestroyedMark;
    if (marked) lock_.__pad3 = 0;
    return marked;
  }

 private:
  static constexpr unsigned kWritePhase = 1;
  static constexpr unsigned kWriteLocked = 2;
  static constexpr unsigned kOneReader = 8;
  static constexpr unsigned kDestroyedMark = 0xdeadc0de;
  // No kernel thread has such a number.
  static constexpr int kFirstOwner = 0x2000'0000;

  __pthread_rwlock_arch_t& lock_;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_RWLOCK_LAYOUT_H_
