// runtime/model/misuse.h
//
// The program's mistakes with primitives and memory: an event, a note in the
// outcome, and then the behaviour that the real function would have had.
//
// A mistake is what POSIX leaves undefined. Where POSIX has the call fail, or
// lets it, and glibc does so, the error is the answer and nothing is reported:
//
//   mutex, error-checking     lock again: EDEADLK (try: EBUSY, or EDEADLK when
//                             robust or with a protocol)
//   mutex, any                timed lock again: ETIMEDOUT; try: EBUSY
//   mutex, recursive,         unlock by a stranger, or of a free one: EPERM
//     error-checking, robust
//   condition variable        wait without an error-checking or robust mutex:
//                             EPERM
//   read-write lock           either mode while writing: EDEADLK; timed write
//                             mode while reading: ETIMEDOUT; try: EBUSY
//   semaphore                 post beyond SEM_VALUE_MAX: EOVERFLOW
//   barrier                   init for nobody: EINVAL
//   thread                    join of itself: EDEADLK; try of a live one: EBUSY
//
// docs/reference/synchronisation.md has both tables.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_MISUSE_H_
#define FAIRLEAD_RUNTIME_MODEL_MISUSE_H_

#include "abi/event.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Keeps what happened, and where, in the outcome, unless something was kept
// before: the first one counts. Says whether it did.
bool RecordMisuse(const Thread& thread, abi::Misuse what, const void* object);

// The same with an event and a text. The thread's place must be that of the
// mistake.
void ReportMisuse(Thread& thread, abi::Misuse what, const void* object);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_MISUSE_H_
