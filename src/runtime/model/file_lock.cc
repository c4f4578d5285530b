#include "runtime/model/file_lock.h"

#include <errno.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/misuse.h"

namespace fairlead::rt {
namespace {

bool IsFreeForUs(const Thread& thread) {
  const auto* lock = static_cast<const FileLock*>(thread.intent.state);
  return lock->owner == nullptr || lock->owner == &thread;
}
Tid Owner(const Thread& thread) {
  const Thread* owner =
      static_cast<const FileLock*>(thread.intent.state)->owner;
  return owner == nullptr ? Tid::kNone : owner->tid;
}

void Take(Thread& thread, FileLock& lock, uint16_t flags) {
  if (lock.owner == nullptr) {
    emitter().EmitWakeByOther(thread, EventKind::kWakeUnlock, lock.address,
                              lock.released);
  }
  lock.owner = &thread;
  if (++lock.depth > 1) flags |= abi::kFlagRecursive;
  gate().Changed(lock.address);
  emitter().Emit(thread, EventKind::kFileLock, flags | abi::kFlagPoint,
                 lock.address, lock.depth);
}

}  // namespace

void AwaitFile(Thread& thread, FILE* file, const Place& place) {
  FileLock& lock = FindObject<FileLock>(file);
  gate().Arrive(thread,
                {.op = EventKind::kFileLock,
                 .object = file,
                 .ready = IsFreeForUs,
                 .holder = Owner,
                 .state = &lock,
                 .bytes = 1},
                place);
}

void LockFile(Thread& thread, FILE* file, const Place& place) {
  FileLock& lock = FindObject<FileLock>(file);
  gate().Arrive(thread,
                {.op = EventKind::kFileLock,
                 .object = file,
                 .ready = IsFreeForUs,
                 .holder = Owner,
                 .state = &lock},
                place);
  Take(thread, lock, 0);
}

int TryLockFile(Thread& thread, FILE* file, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kFileLock, .object = file}, place);
  FileLock& lock = FindObject<FileLock>(file);
  if (lock.owner == nullptr || lock.owner == &thread) {
    thread.spin.Progressed();
    Take(thread, lock, abi::kFlagSuccess);
    return 0;
  }
  if (thread.spin.Saw(static_cast<uint64_t>(place.anchor),
                      reinterpret_cast<uint64_t>(file),
                      reinterpret_cast<uint64_t>(lock.owner))) {
    gate().Yielded(thread);
  }
  emitter().Emit(thread, EventKind::kTryLock, abi::kFlagPoint, file, 0);
  return EBUSY;
}

void UnlockFile(Thread& thread, FILE* file, const Place& place) {
  ArriveToUnlock(thread, {.op = EventKind::kFileUnlock, .object = file}, place);
  FileLock& lock = FindObject<FileLock>(file);
  if (lock.owner != &thread) {
    ReportMisuse(thread,
                 lock.owner == nullptr ? abi::Misuse::kUnlockNotLocked
                                       : abi::Misuse::kUnlockNotOwner,
                 file);
    return;
  }
  uint16_t flags = abi::kFlagPoint;
  if (--lock.depth > 0) {
    flags |= abi::kFlagRecursive;
  } else {
    lock.owner = nullptr;
    lock.released = emitter().ByNextEvent(thread);
  }
  emitter().Emit(thread, EventKind::kFileUnlock, flags, file, lock.depth);
  gate().Changed(file);
}

}  // namespace fairlead::rt
