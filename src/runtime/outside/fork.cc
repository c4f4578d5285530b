#include "runtime/outside/fork.h"

#include <pthread.h>
#include <string.h>

#include "runtime/emit/emitter.h"
#include "runtime/model/file_lock.h"
#include "runtime/model/mutex.h"
#include "runtime/model/mutex_layout.h"
#include "runtime/model/objects.h"
#include "runtime/model/rwlock.h"
#include "runtime/model/rwlock_layout.h"
#include "runtime/outside/arrivals.h"
#include "runtime/outside/signal_fds.h"
#include "runtime/sys/own_process.h"
#include "runtime/sys/page.h"
#include "runtime/sys/real.h"
#include "runtime/sys/syscall.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {
namespace {

void* AddressOf(const Object& object) {
  return const_cast<void*>(object.address);
}

// What the forking thread holds carries our number for it; the child needs the
// kernel's. So it is made free and locked again by the real functions.
void LockForReal(Mutex& mutex) {
  auto* address = static_cast<pthread_mutex_t*>(AddressOf(mutex));
  MutexLayout layout(address);
  layout.SetFree();
  layout.remove_user();
  for (uint32_t i = 0; i < mutex.depth; ++i) {
    real().pthread_mutex_trylock(address);
  }
}

void LockForReal(Rwlock& lock, const Thread& self) {
  auto* address = static_cast<pthread_rwlock_t*>(AddressOf(lock));
  if (lock.writer == &self) {
    RwlockLayout(address).Show(nullptr, 0);
    real().pthread_rwlock_trywrlock(address);
  }
}

void LockForReal(FileLock& lock) {
  for (uint32_t i = 0; i < lock.depth; ++i) {
    real().flockfile(static_cast<FILE*>(AddressOf(lock)));
  }
}

void LockIfHeld(Object& object, void* argument) {
  const Thread& self = *static_cast<Thread*>(argument);
  if (object.kind == ObjectKind::kMutex) {
    auto& mutex = static_cast<Mutex&>(object);
    if (mutex.owner == &self) LockForReal(mutex);
  } else if (object.kind == ObjectKind::kRwlock) {
    LockForReal(static_cast<Rwlock&>(object), self);
  } else if (object.kind == ObjectKind::kFile) {
    auto& file = static_cast<FileLock&>(object);
    if (file.owner == &self) LockForReal(file);
  }
}

void AheadOfFork() {
  if (tls_self != nullptr) CountUncontrolled(abi::Uncontrolled::kForkedChild);
}

// The first handler that was registered is the first that a child calls, so
// handlers of the program run without control already.
void InChild() { LeaveInChild(nullptr); }

}  // namespace

void WatchFork() {
  RenewOwnProcess();
  pthread_atfork(AheadOfFork, nullptr, InChild);
}

void LeaveInChild(ucontext_t* frame) {
  Thread* self = tls_self;
  if (self == nullptr) return;
  tls_self = nullptr;
  ForgetControlPage();
  emitter().Close();
  ForEachObject(LockIfHeld, self);
  HandToKernel(*self);
  HandSignalFdsToKernel();
  if (frame == nullptr) return;
  memcpy(&frame->uc_sigmask, &self->signals.mask, sizeof(SignalSet));
  frame->uc_stack = self->signals.stack;
  if (frame->uc_stack.ss_size == 0) frame->uc_stack.ss_flags = SS_DISABLE;
}

}  // namespace fairlead::rt
