// runtime/model/walks.h
//
// Walk functions: how a program shows a component of its state whenever states
// are compared, in place of a call for each change. They run to their end in
// the thread that says that nothing is in flight, unseen: no points, no
// accesses, no order, and calls that we stand in front of go to the real ones.
//
// Tier: in-program. Threads: the caller holds the turn, and is inside a hook.

#ifndef FAIRLEAD_RUNTIME_MODEL_WALKS_H_
#define FAIRLEAD_RUNTIME_MODEL_WALKS_H_

#include <stddef.h>

#include "runtime/thread/thread.h"

// The runtime has no annotations of its own: the table's layout is enough.
#ifndef FAIRLEAD_DISABLE
#define FAIRLEAD_DISABLE
#endif
#include <fairlead/detail/table.h>

// A walk under way.
struct fairlead_walk {
  fairlead::rt::Thread* thread;
  const char* component;
};

namespace fairlead::rt {

// Of more components than these, the later ones are not walked.
inline constexpr size_t kMaxWalks = 256;

// `component` is shown by `function` from here on; null = no longer.
void SetWalk(const char* component, fairlead_walk_function* function,
             void* object);

// Lets all components be shown: for each, that it is empty, then what it has.
void WalkAll(Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_WALKS_H_
