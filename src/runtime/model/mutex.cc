#include "runtime/model/mutex.h"

#include <errno.h>

#include "runtime/carrier/tls.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/misuse.h"
#include "runtime/model/mutex_layout.h"
#include "runtime/model/shared.h"
#include "runtime/model/stack_oracle.h"
#include "runtime/sys/real.h"

namespace fairlead::rt {
namespace {

bool IsFree(const Thread& thread) {
  return static_cast<const Mutex*>(thread.intent.state)->owner == nullptr;
}
Tid Owner(const Thread& thread) {
  const Thread* owner = static_cast<const Mutex*>(thread.intent.state)->owner;
  return owner == nullptr ? Tid::kNone : owner->tid;
}

int TryReal(void* mutex) {
  return real().pthread_mutex_trylock(static_cast<pthread_mutex_t*>(mutex));
}

bool UsesDestroyed(Thread& thread, const pthread_mutex_t* mutex) {
  CheckPrimitive(thread, mutex);
  if (!MutexLayout(mutex).destroyed()) return false;
  ReportMisuse(thread, abi::Misuse::kUseAfterDestroy, mutex);
  return true;
}

// The owner locks again: what the call returns, or kWaitForItself; `timed` for
// one that then ends by its time.
constexpr int kWaitForItself = -1;
int LockAgain(Thread& thread, Mutex& state, EventKind event, bool timed) {
  MutexLayout layout(state.address);
  if (layout.recursive()) {
    layout.SetHeld(thread.tid, ++state.depth);
    uint16_t flags = abi::kFlagPoint | abi::kFlagRecursive;
    if (event == EventKind::kTryLock) flags |= abi::kFlagSuccess;
    emitter().Emit(thread, event, flags, state.address, state.depth);
    return 0;
  }
  if (layout.error_checking()) return EDEADLK;
  if (!timed) ReportMisuse(thread, abi::Misuse::kRelockByOwner, state.address);
  return kWaitForItself;
}

// The thread was chosen, and the mutex is free: takes it and says so.
int TakeChosen(Thread& thread, Mutex& state, EventKind event, uint16_t flags) {
  if (UsesDestroyed(thread, static_cast<const pthread_mutex_t*>(state.address)))
    return EINVAL;
  const int result = TakeMutex(thread, state, 1);
  if (result == ENOTRECOVERABLE) return result;
  MutexLayout(state.address).add_user();
  if (result == EOWNERDEAD) flags |= abi::kFlagRobust;
  emitter().Emit(thread, event, flags | abi::kFlagPoint, state.address, 1);
  return result;
}

void AddRobust(Thread& thread, Mutex& mutex) {
  ++mutex.pins;
  mutex.next_robust = thread.robust;
  thread.robust = &mutex;
}

void RemoveRobust(Thread& thread, Mutex& mutex) {
  for (Mutex** link = &thread.robust; *link != nullptr;
       link = &(*link)->next_robust) {
    if (*link != &mutex) continue;
    *link = mutex.next_robust;
    --mutex.pins;
    return;
  }
}

void Abandon(Thread& thread, Mutex& mutex) {
  if (PeekObject(mutex.address) != &mutex) {  // its memory is gone
    RemoveRobust(thread, mutex);
    return;
  }
  mutex.owner_died = true;
  mutex.inconsistent = false;
  MutexLayout(mutex.address).remove_user();
  ReleaseMutex(thread, mutex);
}

// Whose unlock this is not: the error if it is refused, as POSIX demands for
// some types; for the others it is a mistake.
int UnlockByStranger(Thread& thread, const Mutex& state) {
  MutexLayout layout(state.address);
  if (layout.must_refuse_strangers()) return EPERM;
  ReportMisuse(thread,
               state.owner == nullptr ? abi::Misuse::kUnlockNotLocked
                                      : abi::Misuse::kUnlockNotOwner,
               state.address);
  if (layout.refuses_strangers()) return EPERM;
  if (state.owner == nullptr) layout.remove_user();
  return 0;
}

}  // namespace

bool IsSharedMutex(const pthread_mutex_t* mutex) {
  const MutexLayout layout(mutex);
  if (layout.destroyed() || !layout.shared()) return false;
  // Robust ones always look shared; of those that began here we know.
  if (!layout.robust()) return true;
  const Object* object = PeekObject(mutex);
  return object == nullptr || object->kind != ObjectKind::kMutex ||
         !static_cast<const Mutex*>(object)->initialised;
}

Mutex& FindMutex(const pthread_mutex_t* mutex) {
  Mutex& state = FindObject<Mutex>(mutex);
  if (state.owner != nullptr && MutexLayout(mutex).LooksFree()) {
    return RenewObject<Mutex>(mutex);
  }
  return state;
}

Intent WantMutex(EventKind op, Mutex& mutex) {
  return {.op = op,
          .object = mutex.address,
          .ready = IsFree,
          .holder = Owner,
          .state = &mutex};
}

int TakeMutex(Thread& thread, Mutex& mutex, uint32_t depth) {
  if (mutex.unrecoverable) return ENOTRECOVERABLE;
  MutexLayout layout(mutex.address);
  mutex.owner = &thread;
  mutex.depth = depth;
  layout.SetHeld(thread.tid, depth);
  if (layout.robust()) AddRobust(thread, mutex);
  emitter().EmitWakeByOther(thread, EventKind::kWakeUnlock, mutex.address,
                            mutex.released);
  gate().Changed(mutex.address);
  if (!mutex.owner_died) return 0;
  mutex.owner_died = false;
  mutex.inconsistent = true;
  return EOWNERDEAD;
}

uint32_t ReleaseMutex(Thread& thread, Mutex& mutex) {
  const uint32_t depth = mutex.depth;
  MutexLayout layout(mutex.address);
  if (layout.robust()) RemoveRobust(*mutex.owner, mutex);
  if (mutex.inconsistent) mutex.unrecoverable = true;
  mutex.inconsistent = false;
  mutex.owner = nullptr;
  mutex.depth = 0;
  mutex.released = emitter().ByLastEvent(thread);
  layout.SetFree();
  gate().Changed(mutex.address);
  return depth;
}

void AbandonMutexes(Thread& thread) {
  while (thread.robust != nullptr) Abandon(thread, *thread.robust);
  AbandonListedMutexes(thread);
}

int LockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place) {
  return TimedLockMutex(thread, mutex, Until(), place);
}

int TimedLockMutex(Thread& thread, pthread_mutex_t* mutex, const Until& until,
                   const Place& place) {
  if (IsSharedMutex(mutex)) {
    return AttemptShared(thread, EventKind::kLock, mutex, TryReal, until,
                         place);
  }
  const bool timed = until.when != nullptr;
  Mutex* state = &FindMutex(mutex);
  if (timed || state->owner == &thread) {
    gate().Arrive(thread, {.op = EventKind::kLock, .object = mutex}, place);
    state = &FindMutex(mutex);
  }
  const uint16_t flags = timed ? abi::kFlagSuccess : 0;
  if (state->owner == &thread) {
    const int result = LockAgain(thread, *state, EventKind::kLock, timed);
    if (result != kWaitForItself) return result;
  } else if (timed && state->owner == nullptr) {
    return TakeChosen(thread, *state, EventKind::kLock, flags);
  }
  Intent intent = WantMutex(EventKind::kLock, *state);
  intent.deadline_ns = DeadlineOf(until);
  if (intent.deadline_ns == kBadDeadline) return EINVAL;
  if (Await(thread, intent, place) == Wake::kTimedOut) {
    emitter().Emit(thread, EventKind::kTryLock,
                   abi::kFlagPoint | abi::kFlagTimedOut, mutex, 0);
    return ETIMEDOUT;
  }
  return TakeChosen(thread, *state, EventKind::kLock, flags);
}

int TryLockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kTryLock, .object = mutex}, place);
  if (IsSharedMutex(mutex)) return TryReal(mutex);
  Mutex& state = FindMutex(mutex);
  if (state.owner == nullptr) {
    thread.spin.Progressed();
    return TakeChosen(thread, state, EventKind::kTryLock, abi::kFlagSuccess);
  }
  const MutexLayout layout(mutex);
  if (state.owner == &thread &&
      (layout.recursive() || layout.try_checks_owner())) {
    return LockAgain(thread, state, EventKind::kTryLock, false);
  }
  // Trying again and again is a spin.
  if (thread.spin.Saw(static_cast<uint64_t>(place.anchor),
                      reinterpret_cast<uint64_t>(mutex),
                      reinterpret_cast<uint64_t>(state.owner))) {
    gate().Yielded(thread);
  }
  emitter().Emit(thread, EventKind::kTryLock, abi::kFlagPoint, mutex, 0);
  return EBUSY;
}

int UnlockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place) {
  ArriveToUnlock(thread, {.op = EventKind::kUnlock, .object = mutex}, place);
  if (UsesDestroyed(thread, mutex)) return EINVAL;
  if (IsSharedMutex(mutex)) {
    gate().Progressed(thread);
    return real().pthread_mutex_unlock(mutex);
  }
  Mutex& state = FindMutex(mutex);
  if (state.owner != &thread) {
    const int error = UnlockByStranger(thread, state);
    // glibc unlocks a normal mutex for whoever asks.
    if (error != 0 || state.owner == nullptr) return error;
  }
  MutexLayout layout(mutex);
  if (state.depth > 1) {
    layout.SetHeld(thread.tid, --state.depth);
    emitter().Emit(thread, EventKind::kUnlock,
                   abi::kFlagPoint | abi::kFlagRecursive, mutex, state.depth);
    return state.inconsistent ? ENOTRECOVERABLE : 0;
  }
  emitter().Emit(thread, EventKind::kUnlock, abi::kFlagPoint, mutex, 0);
  layout.remove_user();
  ReleaseMutex(thread, state);
  return 0;
}

int MakeMutexConsistent(Thread& thread, pthread_mutex_t* mutex,
                        const Place& place) {
  thread.place = place;
  if (IsSharedMutex(mutex)) return real().pthread_mutex_consistent(mutex);
  if (UsesDestroyed(thread, mutex)) return EINVAL;
  Mutex& state = FindMutex(mutex);
  if (!MutexLayout(mutex).robust() || !state.inconsistent) return EINVAL;
  state.inconsistent = false;
  return 0;
}

void InitMutex(Thread& thread, pthread_mutex_t* mutex,
               const pthread_mutexattr_t* attr, const Place& place) {
  thread.place = place;
  const Object* old = PeekObject(mutex);
  if (old != nullptr && old->kind == ObjectKind::kMutex &&
      static_cast<const Mutex*>(old)->owner != nullptr) {
    ReportMisuse(thread, abi::Misuse::kDoubleInit, mutex);
  }
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attr != nullptr) pthread_mutexattr_getpshared(attr, &shared);
  RenewObject<Mutex>(mutex).initialised = shared == PTHREAD_PROCESS_PRIVATE;
  emitter().Emit(thread, EventKind::kInit, 0, mutex, 0);
}

int DestroyMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kDestroy, .object = mutex}, place);
  if (UsesDestroyed(thread, mutex) || IsSharedMutex(mutex)) {
    return real().pthread_mutex_destroy(mutex);
  }
  Mutex& state = FindMutex(mutex);
  const MutexLayout layout(mutex);
  if (state.owner != nullptr) {
    ReportMisuse(thread, abi::Misuse::kDestroyLocked, mutex);
  } else if (static_cast<int>(layout.users()) > 0) {
    ReportMisuse(thread, abi::Misuse::kDestroyWaited, mutex);
  }
  if (!layout.robust() && layout.users() != 0) return EBUSY;
  if (state.owner != nullptr) RemoveRobust(*state.owner, state);
  emitter().Emit(thread, EventKind::kDestroy, abi::kFlagPoint, mutex, 0);
  EndObject(mutex);
  return real().pthread_mutex_destroy(mutex);
}

}  // namespace fairlead::rt
