// runtime/model/regions.h
//
// Tells where memory lies that nobody allocates: stacks, thread-local storage,
// and the data of modules. With the blocks of the heap and the mappings, every
// address in an event belongs to something that has been told before.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_REGIONS_H_
#define FAIRLEAD_RUNTIME_MODEL_REGIONS_H_

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// The stack of `thread`, which is running, and its static thread-local storage.
void TellStack(Thread& thread);
void TellTls(Thread& thread);

// The writable data of modules that have not been told yet.
void TellModules(Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_REGIONS_H_
