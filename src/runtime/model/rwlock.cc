#include "runtime/model/rwlock.h"

#include <errno.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/misuse.h"
#include "runtime/model/readers.h"
#include "runtime/model/rwlock_layout.h"
#include "runtime/model/shared.h"
#include "runtime/model/stack_oracle.h"
#include "runtime/sys/real.h"

namespace fairlead::rt {
namespace {

const Rwlock& Wanted(const Thread& thread) {
  return *static_cast<const Rwlock*>(thread.intent.state);
}

bool MayRead(const Rwlock& lock) {
  if (lock.writer != nullptr) return false;
  return lock.waiting_writers == 0 ||
         !RwlockLayout(lock.address).holds_readers_off();
}
bool MayWrite(const Rwlock& lock) {
  return lock.writer == nullptr && lock.readers == nullptr;
}
bool MayHave(const Rwlock& lock, LockMode mode) {
  return mode == LockMode::kRead ? MayRead(lock) : MayWrite(lock);
}
bool ReadIsPossible(const Thread& thread) { return MayRead(Wanted(thread)); }
bool WriteIsPossible(const Thread& thread) { return MayWrite(Wanted(thread)); }

// The writer, or the reader who came last.
Tid Holder(const Thread& thread) {
  const Rwlock& lock = Wanted(thread);
  if (lock.writer != nullptr) return lock.writer->tid;
  return lock.readers == nullptr ? Tid::kNone : lock.readers->thread->tid;
}

int TryReadReal(void* lock) {
  return real().pthread_rwlock_tryrdlock(static_cast<pthread_rwlock_t*>(lock));
}
int TryWriteReal(void* lock) {
  return real().pthread_rwlock_trywrlock(static_cast<pthread_rwlock_t*>(lock));
}
Attempt TryReal(LockMode mode) {
  return mode == LockMode::kRead ? TryReadReal : TryWriteReal;
}

uint16_t FlagOf(LockMode mode) {
  return mode == LockMode::kRead ? abi::kFlagShared : 0;
}

Rwlock& FindRwlock(Thread& thread, pthread_rwlock_t* lock) {
  CheckPrimitive(thread, lock);
  Rwlock& state = FindObject<Rwlock>(lock);
  RwlockLayout layout(lock);
  if (layout.TakeDestroyedMark()) {
    ReportMisuse(thread, abi::Misuse::kUseAfterDestroy, lock);
  } else if (!MayWrite(state) && layout.LooksFree()) {
    ForgetReaders(state);  // a static initialiser was there
    return RenewObject<Rwlock>(lock);
  }
  return state;
}

Intent Want(Rwlock& lock, LockMode mode, uint64_t deadline_ns) {
  return {.op = EventKind::kLock,
          .object = lock.address,
          .ready = mode == LockMode::kRead ? ReadIsPossible : WriteIsPossible,
          .holder = Holder,
          .state = &lock,
          .deadline_ns = deadline_ns};
}

void EmitEdge(Thread& thread, const Rwlock& lock, const Cause& released) {
  emitter().EmitWakeByOther(thread, EventKind::kWakeUnlock, lock.address,
                            released);
}

void Take(Thread& thread, Rwlock& lock, LockMode mode, EventKind event,
          uint16_t flags) {
  uint32_t depth = 1;
  EmitEdge(thread, lock, lock.write_released);
  if (mode == LockMode::kWrite) {
    EmitEdge(thread, lock, lock.read_released);
    lock.writer = &thread;
    lock.read_released = {};
  } else {
    depth = AddReader(lock, thread);
  }
  if (depth > 1) flags |= abi::kFlagRecursive;
  RwlockLayout(lock.address).Show(lock.writer, lock.num_reads);
  gate().Changed(lock.address);
  emitter().Emit(thread, event, flags | FlagOf(mode) | abi::kFlagPoint,
                 lock.address, depth);
}

// Waits in the lock, as one whom glibc counts.
Wake WaitAsCounted(Thread& thread, Rwlock& state, LockMode mode,
                   uint64_t deadline_ns, const Place& place) {
  const Intent intent = Want(state, mode, deadline_ns);
  if (mode == LockMode::kRead) return Await(thread, intent, place);
  ++state.waiting_writers;
  gate().Changed(state.address);
  const Wake wake = Await(thread, intent, place);
  --state.waiting_writers;
  gate().Changed(state.address);
  return wake;
}

}  // namespace

int LockRwlock(Thread& thread, pthread_rwlock_t* lock, LockMode mode,
               const Until& until, const Place& place) {
  const uint64_t deadline = DeadlineOf(until);
  if (deadline == kBadDeadline) return EINVAL;
  if (RwlockLayout(lock).shared()) {
    return AttemptShared(thread, EventKind::kLock, lock, TryReal(mode), until,
                         place);
  }
  const uint16_t flags = until.when == nullptr ? 0 : abi::kFlagSuccess;
  gate().Arrive(thread, {.op = EventKind::kLock, .object = lock}, place);
  Rwlock& state = FindRwlock(thread, lock);
  if (state.writer == &thread) return EDEADLK;
  if (!MayHave(state, mode)) {
    if (until.when == nullptr && mode == LockMode::kWrite &&
        Reads(state, thread)) {
      // glibc does not notice: the thread waits for itself.
      ReportMisuse(thread, abi::Misuse::kUpgrade, lock);
    }
    if (WaitAsCounted(thread, state, mode, deadline, place) ==
        Wake::kTimedOut) {
      emitter().Emit(thread, EventKind::kTryLock,
                     FlagOf(mode) | abi::kFlagPoint | abi::kFlagTimedOut, lock,
                     0);
      return ETIMEDOUT;
    }
  }
  Take(thread, state, mode, EventKind::kLock, flags);
  return 0;
}

int TryLockRwlock(Thread& thread, pthread_rwlock_t* lock, LockMode mode,
                  const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kTryLock, .object = lock}, place);
  if (RwlockLayout(lock).shared()) return TryReal(mode)(lock);
  Rwlock& state = FindRwlock(thread, lock);
  if (MayHave(state, mode)) {
    thread.spin.Progressed();
    Take(thread, state, mode, EventKind::kTryLock, abi::kFlagSuccess);
    return 0;
  }
  if (thread.spin.Saw(static_cast<uint64_t>(place.anchor),
                      reinterpret_cast<uint64_t>(lock), state.num_reads)) {
    gate().Yielded(thread);
  }
  emitter().Emit(thread, EventKind::kTryLock, FlagOf(mode) | abi::kFlagPoint,
                 lock, 0);
  return EBUSY;
}

int UnlockRwlock(Thread& thread, pthread_rwlock_t* lock, const Place& place) {
  ArriveToUnlock(thread, {.op = EventKind::kUnlock, .object = lock}, place);
  if (RwlockLayout(lock).shared()) {
    gate().Progressed(thread);
    return real().pthread_rwlock_unlock(lock);
  }
  Rwlock& state = FindRwlock(thread, lock);
  uint16_t flags = abi::kFlagPoint;
  uint32_t depth = 0;
  if (state.writer == &thread) {
    state.writer = nullptr;
    state.write_released = emitter().ByNextEvent(thread);
  } else {
    if (!Reads(state, thread)) {
      ReportMisuse(thread,
                   MayWrite(state) ? abi::Misuse::kUnlockNotLocked
                                   : abi::Misuse::kUnlockNotOwner,
                   lock);
      // glibc takes it for the unlock of some reader, if there is one.
      if (state.readers == nullptr) return 0;
    }
    depth = RemoveReader(state, thread);
    flags |= abi::kFlagShared;
    if (depth > 0) flags |= abi::kFlagRecursive;
    state.read_released = emitter().ByNextEvent(thread);
  }
  RwlockLayout(lock).Show(state.writer, state.num_reads);
  emitter().Emit(thread, EventKind::kUnlock, flags, lock, depth);
  gate().Changed(lock);
  return 0;
}

void InitRwlock(Thread& thread, pthread_rwlock_t* lock, const Place& place) {
  thread.place = place;
  Object* old = PeekObject(lock);
  if (old != nullptr && old->kind == ObjectKind::kRwlock) {
    Rwlock& state = *static_cast<Rwlock*>(old);
    if (!MayWrite(state)) {
      ReportMisuse(thread, abi::Misuse::kDoubleInit, lock);
    }
    ForgetReaders(state);
  }
  RenewObject<Rwlock>(lock);
  emitter().Emit(thread, EventKind::kInit, 0, lock, 0);
}

int DestroyRwlock(Thread& thread, pthread_rwlock_t* lock, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kDestroy, .object = lock}, place);
  if (RwlockLayout(lock).shared()) return real().pthread_rwlock_destroy(lock);
  Rwlock& state = FindRwlock(thread, lock);
  if (!MayWrite(state)) {
    ReportMisuse(thread, abi::Misuse::kDestroyLocked, lock);
    return 0;  // glibc does nothing here, and the lock goes on
  }
  emitter().Emit(thread, EventKind::kDestroy, abi::kFlagPoint, lock, 0);
  EndObject(lock);
  RwlockLayout(lock).MarkDestroyed();
  return 0;
}

}  // namespace fairlead::rt
