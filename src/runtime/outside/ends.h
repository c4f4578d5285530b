// runtime/outside/ends.h
//
// The ways in which a process ends, each leaving an outcome.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_ENDS_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_ENDS_H_

namespace fairlead::rt {

// Has RecordExit called when exit() has run all handlers of the program.
void WatchExit();

// The process ends with `code` now: writes the outcome, once.
void RecordExit(int code);

// What quick_exit() was called with.
void SetQuickExitCode(int code);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_ENDS_H_
