// runtime/model/shared.h
//
// Primitives shared with other processes, which no schedule controls: the real
// operation is tried; while it fails, the other threads of this process run;
// when none of them can, real time passes for a moment before the next attempt.
// Each use is counted as uncontrolled.
//
// Unsound: executions with such primitives need not repeat. A deadlock over one
// is never found; the time limit ends it.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_SHARED_H_
#define FAIRLEAD_RUNTIME_MODEL_SHARED_H_

#include "runtime/model/deadline.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// One attempt at the real operation, which must not block: EBUSY = try again,
// anything else is the result.
using Attempt = int (*)(void* object);

// Attempts until the result is not EBUSY or the time has come by the real clock
// (ETIMEDOUT).
int AttemptShared(Thread& thread, EventKind op, void* object, Attempt attempt,
                  const Until& until, const Place& place);

// Between two attempts: others come first, and when nobody else can move, real
// time passes. `attempts` so far.
void LetOthersRun(Thread& thread, uint32_t attempts);

// By the real clock.
bool HasPassed(const Until& until);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_SHARED_H_
