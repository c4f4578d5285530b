// runtime/intercept/access.h
//
// The hooks that instrumented code calls (abi/hooks.h): ahead of and behind
// accesses, at calls, at function entry and exit.
//
// An access is a point when at least two threads live, its thread is not in a
// quiet region, and the thread has come to code of the application: the
// library code in which a thread starts is nobody's concern.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_ACCESS_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_ACCESS_H_

#include "abi/hooks.h"

namespace fairlead::rt {

// Points all entries of a module's table to our hooks.
void FillHooks(abi::Hooks& hooks);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_ACCESS_H_
