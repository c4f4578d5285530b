// runtime/sites/sites.h
//
// The sites of instrumented modules: gives each its index in the execution,
// fills the module's hook table, and sets the mode bytes that the plan asks
// for. A record that several translation units brought along (inline functions)
// counts as one site: equal ids get equal indices.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_SITES_SITES_H_
#define FAIRLEAD_RUNTIME_SITES_SITES_H_

#include <stdint.h>

#include "abi/site.h"
#include "runtime/gate/thread.h"

namespace fairlead::rt {

struct Module;

// Called once for each instrumented module, before any of its code can reach a
// hook. Refuses, and says so, what a newer pass has made.
void AdoptSites(Module& module);

// Sets the modes of all sites anew, as the plan asks now.
void SetModes();

// The index of a record (as Event::site); 0 for a record of no known module.
uint32_t SiteIndex(const abi::SiteRecord* site);
// The record behind an index; null for 0.
const abi::SiteRecord* SiteAt(uint32_t index);

// The index of a function (as in kEnter); 0 for one of no known module.
uint32_t FunctionIndex(const abi::FunctionRecord* function);

// Where the running thread calls into the runtime: the innermost call site of
// its calling context that is not a library's own, or else `caller`, the return
// address of the hook.
Place PlaceOfCall(const Thread& thread, const void* caller);

// Where it accesses memory.
Place PlaceOfSite(const abi::SiteRecord* site);

// A digest over the ids of all sites that are points.
uint64_t point_set_digest();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SITES_SITES_H_
