// runtime/execution.h
//
// What the runtime knows about the execution as a whole: the control page and
// how it ends. There is one per process, from the start of the library until
// the process is gone; a child of fork has none.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_EXECUTION_H_
#define FAIRLEAD_RUNTIME_EXECUTION_H_

#include <stdint.h>

#include "abi/control.h"
#include "runtime/gate/thread.h"
#include "runtime/sys/text.h"

namespace fairlead::rt {

// The page of this execution; null when the process is not controlled.
abi::ControlPage* control_page();
inline bool PlanAsks(uint64_t flag) {
  return (control_page()->plan.flags & flag) != 0;
}

// Maps the page that `FAIRLEAD_CONTROL=<fd>` in `environment` names, if it is
// for this executable; then takes our variables out of `environment`. False
// when the process is to be left alone.
bool FindControlPage(char** environment);

// Stops using the page: the process goes on uncontrolled (a child of fork).
void ForgetControlPage();
// In such a child: counts something for its parent.
void TellParent(abi::Uncontrolled what);

// Counts something that no schedule controls.
void CountUncontrolled(abi::Uncontrolled what);

// An annotation was called that has no effect.
void NoteUnheeded(abi::Unheeded what);

// A server can be asked from now on.
void TellReady();

// Where the paragraph of the outcome is built.
Text OutcomeText();

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

#endif  // FAIRLEAD_RUNTIME_EXECUTION_H_
