// runtime/sys/page.h
//
// The control page: the memory that this process shares with the tool. There is
// one per process, from the start of the library until the process is gone; a
// child of fork has none. How an execution ends is gate/outcome.h.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_SYS_PAGE_H_
#define FAIRLEAD_RUNTIME_SYS_PAGE_H_

#include <stdint.h>

#include "abi/control.h"
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

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SYS_PAGE_H_
