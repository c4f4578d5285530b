// runtime/thread/name.h
//
// What a thread is called in reports.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_THREAD_NAME_H_
#define FAIRLEAD_RUNTIME_THREAD_NAME_H_

#include "runtime/sys/text.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Writes a thread's name by creation path, such as main/1/2, and the one that
// the program gave it after it; or the path alone.
void PutThreadPath(Text& text, const Thread& thread);
void PutThreadName(Text& text, const Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_THREAD_NAME_H_
