#include "runtime/model/mutex.h"

#include <errno.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/misuse.h"

namespace fairlead::rt {
namespace {

// glibc keeps the type in the low bits of __kind, attributes above it.
int TypeOf(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }

bool IsFree(const Thread& thread) {
  return static_cast<const Mutex*>(thread.intent.state)->owner == nullptr;
}
Tid Owner(const Thread& thread) {
  const Thread* owner = static_cast<const Mutex*>(thread.intent.state)->owner;
  return owner == nullptr ? Tid::kNone : owner->tid;
}

// A lock by the owner: 0 when it may go deeper, or the error.
int Relock(Thread& thread, pthread_mutex_t* mutex, Mutex& state) {
  if (TypeOf(mutex) == PTHREAD_MUTEX_RECURSIVE) {
    ++state.depth;
    emitter().Emit(thread, EventKind::kLock,
                   abi::kFlagPoint | abi::kFlagRecursive, mutex, state.depth);
    return 0;
  }
  ReportMisuse(thread, abi::Misuse::kRelockByOwner, mutex);
  return EDEADLK;
}

}  // namespace

Intent WantMutex(EventKind op, Mutex& mutex) {
  return {.op = op,
          .object = mutex.address,
          .ready = IsFree,
          .holder = Owner,
          .state = &mutex};
}

void TakeMutex(Thread& thread, Mutex& mutex, uint32_t depth) {
  mutex.owner = &thread;
  mutex.depth = depth;
  if (mutex.releaser != nullptr && mutex.releaser != &thread) {
    emitter().EmitWake(thread, EventKind::kWakeUnlock, mutex.address,
                       *mutex.releaser);
  }
  gate().Changed(mutex.address);
}

uint32_t ReleaseMutex(Thread& thread, Mutex& mutex) {
  const uint32_t depth = mutex.depth;
  mutex.owner = nullptr;
  mutex.depth = 0;
  mutex.releaser = &thread;
  gate().Changed(mutex.address);
  return depth;
}

int LockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place) {
  Mutex& state = FindObject<Mutex>(mutex);
  if (state.owner == &thread) {
    gate().Arrive(thread, {.op = EventKind::kLock, .object = mutex}, place);
    const int error = Relock(thread, mutex, state);
    // A normal mutex has no error for this: its owner waits for itself.
    if (error != EDEADLK || TypeOf(mutex) == PTHREAD_MUTEX_ERRORCHECK) {
      return error;
    }
  }
  gate().Arrive(thread, WantMutex(EventKind::kLock, state), place);
  TakeMutex(thread, state, 1);
  emitter().Emit(thread, EventKind::kLock, abi::kFlagPoint, mutex, 1);
  return 0;
}

int TryLockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kTryLock, .object = mutex}, place);
  Mutex& state = FindObject<Mutex>(mutex);
  if (state.owner == &thread && TypeOf(mutex) == PTHREAD_MUTEX_RECURSIVE) {
    ++state.depth;
    emitter().Emit(thread, EventKind::kTryLock,
                   abi::kFlagPoint | abi::kFlagSuccess | abi::kFlagRecursive,
                   mutex, state.depth);
    return 0;
  }
  if (state.owner != nullptr) {
    // Trying again and again is a spin.
    const auto anchor = static_cast<uint64_t>(place.anchor);
    if (thread.spin.Saw(anchor, reinterpret_cast<uint64_t>(mutex),
                        reinterpret_cast<uint64_t>(state.owner))) {
      gate().Yielded(thread);
    }
    emitter().Emit(thread, EventKind::kTryLock, abi::kFlagPoint, mutex, 0);
    return EBUSY;
  }
  TakeMutex(thread, state, 1);
  thread.spin.Progressed();
  emitter().Emit(thread, EventKind::kTryLock,
                 abi::kFlagPoint | abi::kFlagSuccess, mutex, 1);
  return 0;
}

int UnlockMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kUnlock, .object = mutex}, place);
  Mutex& state = FindObject<Mutex>(mutex);
  if (state.owner != &thread) {
    ReportMisuse(thread,
                 state.owner == nullptr ? abi::Misuse::kUnlockNotLocked
                                        : abi::Misuse::kUnlockNotOwner,
                 mutex);
    const int type = TypeOf(mutex);
    if (type == PTHREAD_MUTEX_ERRORCHECK || type == PTHREAD_MUTEX_RECURSIVE) {
      return EPERM;
    }
    // glibc unlocks a normal mutex for whoever asks.
    if (state.owner == nullptr) return 0;
  }
  if (state.depth > 1) {
    --state.depth;
    emitter().Emit(thread, EventKind::kUnlock,
                   abi::kFlagPoint | abi::kFlagRecursive, mutex, state.depth);
    return 0;
  }
  emitter().Emit(thread, EventKind::kUnlock, abi::kFlagPoint, mutex, 0);
  ReleaseMutex(thread, state);
  return 0;
}

void InitMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place) {
  thread.place = place;
  const Object* old = PeekObject(mutex);
  if (old != nullptr && old->kind == ObjectKind::kMutex &&
      static_cast<const Mutex*>(old)->owner != nullptr) {
    ReportMisuse(thread, abi::Misuse::kDoubleInit, mutex);
  }
  RenewObject<Mutex>(mutex);
  emitter().Emit(thread, EventKind::kInit, 0, mutex, 0);
}

int DestroyMutex(Thread& thread, pthread_mutex_t* mutex, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kDestroy, .object = mutex}, place);
  const Mutex& state = FindObject<Mutex>(mutex);
  if (state.owner != nullptr) {
    ReportMisuse(thread, abi::Misuse::kDestroyLocked, mutex);
    return EBUSY;
  }
  emitter().Emit(thread, EventKind::kDestroy, abi::kFlagPoint, mutex, 0);
  EndObject(mutex);
  return 0;
}

}  // namespace fairlead::rt
