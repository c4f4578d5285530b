// runtime/model/stack_oracle.h
//
// Whether what one thread touches on the stack of another is still there: of a
// thread that has ended, nothing is, its thread-local storage included; of one
// that stands in a hook, what lies below the stack pointer of its program has
// been returned from. What must not be is reported as a use after free.
//
// Unsound: a frame that others have been put over since; threads that stand
// elsewhere than in a hook; a stack that a later thread has taken over.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_STACK_ORACLE_H_
#define FAIRLEAD_RUNTIME_MODEL_STACK_ORACLE_H_

#include "runtime/carrier/stacks.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

inline bool OnAStack(const void* address) {
  return reinterpret_cast<uintptr_t>(address) - kStacksBegin <
         kStacksEnd - kStacksBegin;
}

// `address` is on a stack; the thread's place is that of the access.
void CheckStack(Thread& thread, const void* address);

// `thread` is about to work on the primitive at `address`, wherever it lies.
void CheckPrimitive(Thread& thread, const void* address);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_STACK_ORACLE_H_
