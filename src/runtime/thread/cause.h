// runtime/thread/cause.h
//
// Who let another thread go on, and the event by which it did. Models keep one
// from the act (an unlock, a signal) to the moment when the other thread is
// told of it (Emitter::EmitWake), so that the edge names both of its ends.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_THREAD_CAUSE_H_
#define FAIRLEAD_RUNTIME_THREAD_CAUSE_H_

#include <stdint.h>

namespace fairlead::rt {

struct Thread;

// All zeros: nobody yet.
struct Cause {
  Thread* thread;
  uint64_t event;  // position in the execution's stream, from 0
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_THREAD_CAUSE_H_
