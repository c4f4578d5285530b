// runtime/intercept/frames.h
//
// Function entry and exit as events (plan flag kPlanFrames): which function, on
// which object. Keeps the functions that a thread is in by depth, so that
// frames left by an exception or longjmp are told as left too.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_FRAMES_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_FRAMES_H_

#include "abi/site.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

inline bool TellsFrames(const abi::FunctionRecord* function) {
  return (function->mode & abi::kModeEvents) != 0;
}

void EnterFrame(Thread& thread, const abi::FunctionRecord* function,
                const void* const* pointers);

// Leaves all frames deeper than `depth`, the innermost first.
void LeaveFrames(Thread& thread, uint32_t depth);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_FRAMES_H_
