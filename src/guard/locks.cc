#include "guard/locks.h"

#include <errno.h>

#include "guard/board.h"
#include "guard/real.h"
#include "guard/stall.h"

namespace fairlead::guard {
namespace {

bool IsTaken(int result) { return result == 0 || result == EOWNERDEAD; }

void Took(void* lock, LockKind kind) {
  if (self.num_held < kMaxHeld) {
    self.held[self.num_held] = {lock, kind, self.accesses};
  }
  ++self.num_held;
}

void GaveBack(const void* lock) {
  if (self.num_held > kMaxHeld) {
    --self.num_held;
    return;
  }
  for (uint32_t i = self.num_held; i > 0; --i) {
    if (self.held[i - 1].lock != lock) continue;
    for (uint32_t j = i; j < self.num_held; ++j) {
      self.held[j - 1] = self.held[j];
    }
    --self.num_held;
    return;
  }
}

// A wait for a lock, for those who are stalled and hold it.
class LockWait {
 public:
  explicit LockWait(void* lock) {
    if (StateNow() != abi::GuardState::kGuarding) return;
    __atomic_store_n(&self.waits_for, lock, __ATOMIC_RELEASE);
    for (Self*& entry : lock_waiters) {
      Self* none = nullptr;
      if (__atomic_load_n(&entry, __ATOMIC_RELAXED) == nullptr &&
          __atomic_compare_exchange_n(&entry, &none, &self, false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        entry_ = &entry;
        break;
      }
    }
    if (__atomic_load_n(&num_waiters, __ATOMIC_SEQ_CST) != 0) {
      TellLockIsWanted(lock);
    }
  }
  ~LockWait() {
    if (entry_ != nullptr) {
      __atomic_store_n(entry_, nullptr, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&self.waits_for, nullptr, __ATOMIC_RELEASE);
  }
  LockWait(const LockWait&) = delete;
  LockWait& operator=(const LockWait&) = delete;

 private:
  const Blocked blocked_;
  Self** entry_ = nullptr;
};

// Takes a lock: at once if that is possible, else as `wait` does.
template <typename Try, typename Wait>
int Take(void* lock, LockKind kind, Try try_it, Wait wait) {
  int result = try_it();
  if (result == EBUSY || result == EAGAIN) {
    const LockWait waiting(lock);
    result = wait();
  }
  if (IsTaken(result)) Took(lock, kind);
  return result;
}

int TakeAgain(const HeldLock& one) {
  auto* mutex = static_cast<pthread_mutex_t*>(one.lock);
  auto* rwlock = static_cast<pthread_rwlock_t*>(one.lock);
  switch (one.kind) {
    case LockKind::kNone:
      return 0;
    case LockKind::kMutex:
      return pthread_mutex_lock(mutex);
    case LockKind::kRead:
      return pthread_rwlock_rdlock(rwlock);
    case LockKind::kWrite:
      return pthread_rwlock_wrlock(rwlock);
    case LockKind::kSpin:
      return pthread_spin_lock(static_cast<pthread_spinlock_t*>(one.lock));
  }
  return 0;
}

int GiveUp(const HeldLock& one) {
  auto* rwlock = static_cast<pthread_rwlock_t*>(one.lock);
  switch (one.kind) {
    case LockKind::kNone:
      return EINVAL;
    case LockKind::kMutex:
      return Real().pthread_mutex_unlock(
          static_cast<pthread_mutex_t*>(one.lock));
    case LockKind::kRead:
    case LockKind::kWrite:
      return Real().pthread_rwlock_unlock(rwlock);
    case LockKind::kSpin:
      return Real().pthread_spin_unlock(
          static_cast<pthread_spinlock_t*>(one.lock));
  }
  return EINVAL;
}

}  // namespace

bool Holds(const Self& thread, const void* lock) {
  if (lock == nullptr) return false;
  const uint32_t all = __atomic_load_n(&thread.num_held, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < all && i < kMaxHeld; ++i) {
    if (thread.held[i].lock == lock) return true;
  }
  return false;
}

uint32_t YieldLocks() {
  if (self.num_held > kMaxHeld) return 0;
  uint32_t count = 0;
  while (count < self.num_held) {
    HeldLock& one = self.held[self.num_held - 1 - count];
    if (one.accesses != self.accesses || GiveUp(one) != 0) break;
    ++count;
  }
  // They stay in the list, behind its end, until they are taken back.
  self.num_held -= count;
  return count;
}

void TakeLocksBack(uint32_t count) {
  HeldLock again[kMaxHeld];
  for (uint32_t i = 0; i < count; ++i) again[i] = self.held[self.num_held + i];
  for (uint32_t i = 0; i < count; ++i) TakeAgain(again[i]);
}

}  // namespace fairlead::guard

using namespace fairlead::guard;

#define GUARD_HOOK extern "C" __attribute__((visibility("default")))

GUARD_HOOK int pthread_mutex_lock(pthread_mutex_t* mutex) {
  return Take(
      mutex, LockKind::kMutex,
      [=] { return Real().pthread_mutex_trylock(mutex); },
      [=] { return Real().pthread_mutex_lock(mutex); });
}
// Behind it the lock is as good as taken just now.
GUARD_HOOK int pthread_cond_wait(pthread_cond_t* condition,
                                 pthread_mutex_t* mutex) {
  GaveBack(mutex);
  int result;
  {
    const Blocked blocked;
    result = Real().pthread_cond_wait(condition, mutex);
  }
  Took(mutex, LockKind::kMutex);
  return result;
}
GUARD_HOOK int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  const int result = Real().pthread_mutex_trylock(mutex);
  if (IsTaken(result)) Took(mutex, LockKind::kMutex);
  return result;
}
GUARD_HOOK int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  GaveBack(mutex);
  return Real().pthread_mutex_unlock(mutex);
}
GUARD_HOOK int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  return Take(
      lock, LockKind::kRead,
      [=] { return Real().pthread_rwlock_tryrdlock(lock); },
      [=] { return Real().pthread_rwlock_rdlock(lock); });
}
GUARD_HOOK int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  return Take(
      lock, LockKind::kWrite,
      [=] { return Real().pthread_rwlock_trywrlock(lock); },
      [=] { return Real().pthread_rwlock_wrlock(lock); });
}
GUARD_HOOK int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  const int result = Real().pthread_rwlock_tryrdlock(lock);
  if (IsTaken(result)) Took(lock, LockKind::kRead);
  return result;
}
GUARD_HOOK int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  const int result = Real().pthread_rwlock_trywrlock(lock);
  if (IsTaken(result)) Took(lock, LockKind::kWrite);
  return result;
}
GUARD_HOOK int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  GaveBack(lock);
  return Real().pthread_rwlock_unlock(lock);
}
GUARD_HOOK int pthread_spin_lock(pthread_spinlock_t* lock) {
  return Take(
      const_cast<int*>(lock), LockKind::kSpin,
      [=] { return Real().pthread_spin_trylock(lock); },
      [=] { return Real().pthread_spin_lock(lock); });
}
GUARD_HOOK int pthread_spin_trylock(pthread_spinlock_t* lock) {
  const int result = Real().pthread_spin_trylock(lock);
  if (IsTaken(result)) Took(const_cast<int*>(lock), LockKind::kSpin);
  return result;
}
GUARD_HOOK int pthread_spin_unlock(pthread_spinlock_t* lock) {
  GaveBack(const_cast<int*>(lock));
  return Real().pthread_spin_unlock(lock);
}
