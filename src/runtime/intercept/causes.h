// runtime/intercept/causes.h
//
// Why a program aborts, where it can be known: a failed assertion, an exception
// that nobody catches. The words become part of the outcome's text.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_CAUSES_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_CAUSES_H_

#include "runtime/sys/text.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Adds ": <cause>" when the thread, which aborts, has told one, and emits the
// event that belongs to it.
void PutAbortCause(Text& text, Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_CAUSES_H_
