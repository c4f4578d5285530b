// runtime/intercept/time_limit.h
//
// The end that the time limit brings.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_TIME_LIMIT_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_TIME_LIMIT_H_

#include <stdint.h>

#include "runtime/intercept/blocked.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Ends the execution as cut, from a signal handler: emits no event, as the
// thread may be in the middle of one. `pc`: where it is; `blocked`: the call
// that keeps it in the kernel, if there is one that we do not know of.
[[noreturn]] void StopForTime(const Thread& running, uint64_t pc,
                              const BlockedCall& blocked);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_TIME_LIMIT_H_
