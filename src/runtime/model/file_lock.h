// runtime/model/file_lock.h
//
// The lock of a FILE, as flockfile takes it: by one thread, as often as it
// likes.
//
// The functions of stdio lock for themselves inside libc, where we do not see
// it. Calls that were compiled with us wait for the lock as they would there
// (AwaitFile), and then go through in one step.
//
// Unsound: those of code of others are not held off by another thread's
// flockfile, so output that the program keeps together this way may be
// interleaved.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_FILE_LOCK_H_
#define FAIRLEAD_RUNTIME_MODEL_FILE_LOCK_H_

#include <stdio.h>

#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct FileLock : Object {
  static constexpr ObjectKind kKind = ObjectKind::kFile;
  Thread* owner;   // null = free
  uint32_t depth;  // locks by the owner that are not unlocked
  Cause released;  // the last time
};

// Comes to the gate until the file is free, or the thread's own. Does not take
// it.
void AwaitFile(Thread& thread, FILE* file, const Place& place);

void LockFile(Thread& thread, FILE* file, const Place& place);
// Returns what ftrylockfile does: 0, or not.
int TryLockFile(Thread& thread, FILE* file, const Place& place);
void UnlockFile(Thread& thread, FILE* file, const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_FILE_LOCK_H_
