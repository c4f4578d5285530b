// guard/access.h
//
// What happens around an access of a guarded site: its predecessor is looked
// up, judged or learnt, and the access recorded, as one step with the access
// itself, because the granule is held until the access has been made. Ranges,
// and accesses that reach over the end of a granule, are recorded ahead of the
// access, granule by granule.
//
// Racy by design: between the record of such an access and the access itself,
// another thread may come and believe that it has been made. The window is that
// of one call of memcpy or the like.
//
// Tier: in-program. Threads: any; async-signal-safe.

#ifndef FAIRLEAD_GUARD_ACCESS_H_
#define FAIRLEAD_GUARD_ACCESS_H_

#include <stdint.h>

#include "abi/hooks.h"
#include "guard/shadow.h"

namespace fairlead::guard {

// Opens an access of the calling thread; `EndAccess` must follow it. Null: none
// is to be recorded, or it has been already.
Granule* BeginAccess(const void* address, uint64_t bytes, uint32_t site);
void EndAccess(Granule& granule);

// A range, which is not held.
void PassRange(const void* address, uint64_t bytes, uint32_t site);

// The end of a block, as an access to all of it that the pseudo-site of frees
// makes; then the block is forgotten.
void EndBlock(uint64_t address, uint64_t bytes);
// Memory is new from now on, also to calls that come from within.
void ForgetMemory(uint64_t address, uint64_t bytes);
// While learning, or when it is guarded; 0 = frees only make memory new.
void SetFreeSite(uint32_t site);

// From now on accesses are learnt, not judged.
void StartLearning();

// Points all entries of a module's table to our hooks.
void FillHooks(abi::Hooks& hooks);

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_ACCESS_H_
