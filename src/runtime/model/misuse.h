// runtime/model/misuse.h
//
// The program's mistakes with primitives and memory: an event, a note in the
// outcome, and then the behaviour that the real function would have had.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_MISUSE_H_
#define FAIRLEAD_RUNTIME_MODEL_MISUSE_H_

#include "abi/event.h"
#include "runtime/gate/thread.h"

namespace fairlead::rt {

// Keeps what happened, and where, in the outcome, unless something was kept
// before: the first one counts. Says whether it did.
bool RecordMisuse(const Thread& thread, abi::Misuse what, const void* object);

// The same with an event and a text. The thread's place must be that of the
// mistake.
void ReportMisuse(Thread& thread, abi::Misuse what, const void* object);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_MISUSE_H_
