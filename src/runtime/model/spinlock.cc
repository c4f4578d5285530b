#include "runtime/model/spinlock.h"

#include <errno.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/misuse.h"
#include "runtime/model/shared.h"
#include "runtime/sys/real.h"

namespace fairlead::rt {
namespace {

bool IsFree(const Thread& thread) {
  return static_cast<const Spinlock*>(thread.intent.state)->owner == nullptr;
}
Tid Owner(const Thread& thread) {
  const Thread* owner =
      static_cast<const Spinlock*>(thread.intent.state)->owner;
  return owner == nullptr ? Tid::kNone : owner->tid;
}

void* AddressOf(pthread_spinlock_t* lock) { return const_cast<int*>(lock); }

int TryReal(void* lock) {
  return real().pthread_spin_trylock(static_cast<pthread_spinlock_t*>(lock));
}

Spinlock& FindSpinlock(Thread& thread, const void* lock) {
  if (IsDestroyed(lock, ObjectKind::kSpinlock)) {
    ReportMisuse(thread, abi::Misuse::kUseAfterDestroy, lock);
  }
  return FindObject<Spinlock>(lock);
}

void Take(Thread& thread, Spinlock& lock, EventKind event, uint16_t flags) {
  TryReal(const_cast<void*>(lock.address));
  lock.owner = &thread;
  emitter().EmitWakeByOther(thread, EventKind::kWakeUnlock, lock.address,
                            lock.released);
  gate().Changed(lock.address);
  emitter().Emit(thread, event, flags | abi::kFlagPoint, lock.address, 1);
}

}  // namespace

int LockSpinlock(Thread& thread, pthread_spinlock_t* lock, const Place& place) {
  thread.place = place;
  Spinlock& state = FindSpinlock(thread, AddressOf(lock));
  if (state.shared) {
    return AttemptShared(thread, EventKind::kLock, AddressOf(lock), TryReal,
                         Until(), place);
  }
  if (state.owner == &thread) {
    ReportMisuse(thread, abi::Misuse::kRelockByOwner, state.address);
  }
  gate().Arrive(thread,
                {.op = EventKind::kLock,
                 .object = state.address,
                 .ready = IsFree,
                 .holder = Owner,
                 .state = &state},
                place);
  Take(thread, state, EventKind::kLock, 0);
  return 0;
}

int TryLockSpinlock(Thread& thread, pthread_spinlock_t* lock,
                    const Place& place) {
  const void* address = AddressOf(lock);
  gate().Arrive(thread, {.op = EventKind::kTryLock, .object = address}, place);
  Spinlock& state = FindSpinlock(thread, address);
  if (state.shared) return TryReal(AddressOf(lock));
  if (state.owner == nullptr) {
    thread.spin.Progressed();
    Take(thread, state, EventKind::kTryLock, abi::kFlagSuccess);
    return 0;
  }
  if (thread.spin.Saw(static_cast<uint64_t>(place.anchor),
                      reinterpret_cast<uint64_t>(address),
                      reinterpret_cast<uint64_t>(state.owner))) {
    gate().Yielded(thread);
  }
  emitter().Emit(thread, EventKind::kTryLock, abi::kFlagPoint, address, 0);
  return EBUSY;
}

int UnlockSpinlock(Thread& thread, pthread_spinlock_t* lock,
                   const Place& place) {
  const void* address = AddressOf(lock);
  ArriveToUnlock(thread, {.op = EventKind::kUnlock, .object = address}, place);
  Spinlock& state = FindSpinlock(thread, address);
  if (!state.shared && state.owner != &thread) {
    ReportMisuse(thread,
                 state.owner == nullptr ? abi::Misuse::kUnlockNotLocked
                                        : abi::Misuse::kUnlockNotOwner,
                 address);
  }
  emitter().Emit(thread, EventKind::kUnlock, abi::kFlagPoint, address, 0);
  state.owner = nullptr;
  state.released = emitter().ByLastEvent(thread);
  gate().Changed(address);
  return real().pthread_spin_unlock(lock);
}

void InitSpinlock(Thread& thread, pthread_spinlock_t* lock, int shared,
                  const Place& place) {
  thread.place = place;
  const void* address = AddressOf(lock);
  const Object* old = PeekObject(address);
  if (old != nullptr && old->kind == ObjectKind::kSpinlock &&
      static_cast<const Spinlock*>(old)->owner != nullptr) {
    ReportMisuse(thread, abi::Misuse::kDoubleInit, address);
  }
  RenewObject<Spinlock>(address).shared = shared == PTHREAD_PROCESS_SHARED;
  emitter().Emit(thread, EventKind::kInit, 0, address, 0);
}

int DestroySpinlock(Thread& thread, pthread_spinlock_t* lock,
                    const Place& place) {
  const void* address = AddressOf(lock);
  gate().Arrive(thread, {.op = EventKind::kDestroy, .object = address}, place);
  if (FindSpinlock(thread, address).owner != nullptr) {
    ReportMisuse(thread, abi::Misuse::kDestroyLocked, address);
  }
  emitter().Emit(thread, EventKind::kDestroy, abi::kFlagPoint, address, 0);
  MarkDestroyed(address, ObjectKind::kSpinlock);
  return real().pthread_spin_destroy(lock);
}

}  // namespace fairlead::rt
