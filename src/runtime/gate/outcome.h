// runtime/gate/outcome.h
//
// How an execution ends: what its outcome says, and the end of the process.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_GATE_OUTCOME_H_
#define FAIRLEAD_RUNTIME_GATE_OUTCOME_H_

#include "abi/control.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Fills what every outcome has (counts, digests), stores `status` last, and
// publishes the events. Only the first call counts. `thread` may be null.
void RecordOutcome(abi::Status status, const Thread* thread);

// Calls __fl_failure(`words`), where a debugger stops. For all that makes an
// execution fail and for every end of ours; RecordOutcome does it for its own.
void TellDebugger(const char* words);

// Says on standard error what the outcome's text says, and ends the process at
// once with abi::kStoppedExitCode.
[[noreturn]] void StopProcess();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_OUTCOME_H_
