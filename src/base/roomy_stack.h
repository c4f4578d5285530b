// base/roomy_stack.h
//
// A stack that is large enough whatever the resource limit says: with a small
// one (`ulimit -s 64`) the kernel ends a process that goes beyond it, and new
// threads get no more. The limit stays as it is, for it is the program's, too.

#ifndef FAIRLEAD_BASE_ROOMY_STACK_H_
#define FAIRLEAD_BASE_ROOMY_STACK_H_

#include <functional>

namespace fairlead {

// Calls `call` here, or where the limit is too small, in a thread with a stack
// of its own that all signals go to. Call it once, before other threads are
// made; these get such a stack as well. Returns what `call` does; `otherwise`
// when there is no memory for the stack.
int CallWithRoom(const std::function<int()>& call, int otherwise);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_ROOMY_STACK_H_
