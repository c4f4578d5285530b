// runtime/outside/foreign.h
//
// Threads that we did not start: made by clone, by a library or by libc for its
// own purposes. They run beside the controlled ones, at any time; each has
// thread-local storage in which it is nobody's, so every hook passes it through
// to the real function. They are counted, and who made the first is kept.
//
// A controlled thread may wait for one of them with a futex, which is how such
// threads are joined: while there are any, such waits look at the word itself
// again and again (outside/futex.cc).
//
// Unsound: a lock of libc's that both kinds of threads take is not modelled for
// the foreign ones: these may wait for it for ever.
//
// Tier: in-program. Threads: the caller holds the turn, except where it says
// so.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_FOREIGN_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_FOREIGN_H_

#include <stdint.h>

#include "runtime/outside/call.h"

namespace fairlead::rt {

// Whether a child of clone with these flags shares our memory and goes on
// beside us.
bool MakesForeignThread(uint64_t flags);

// `call` is about to make one.
void NoteForeignClone(const Call& call);

// Thread-local storage for one that would share its maker's; null when there is
// none to be had.
void* StorageForForeign();

// Whether there are any, as far as is known. From any thread.
bool AnyForeignThreads();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_FOREIGN_H_
