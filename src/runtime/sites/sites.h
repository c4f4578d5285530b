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

// What the events of a site always say, ready to be copied.
struct SiteFacts {
  SiteId anchor;
  uint32_t index;  // as Event::site; 0 for a record of no known module
  uint16_t flags;  // as Event::flags
  EventKind kind;  // of an access
  uint8_t size;    // as Event::size
};
static_assert(sizeof(SiteFacts) == 16);

// The sites of one module, laid behind those of the modules before it.
struct SiteTable {
  const abi::SiteRecord* begin;
  uint32_t count;
  uint32_t first;          // index of *begin
  const SiteFacts* facts;  // for each record
  const abi::FunctionRecord* functions;
  uint32_t num_functions;
  uint32_t first_function;
};
extern SiteTable first_site_table;  // usually the program's own

const SiteFacts& FactsElsewhere(const abi::SiteRecord* site);
inline const SiteFacts& FactsOf(const abi::SiteRecord* site) {
  const auto at = static_cast<size_t>(site - first_site_table.begin);
  if (at < first_site_table.count) [[likely]]
    return first_site_table.facts[at];
  return FactsElsewhere(site);
}

// The index of a record (as Event::site); 0 for a record of no known module.
inline uint32_t SiteIndex(const abi::SiteRecord* site) {
  return FactsOf(site).index;
}
// The record behind an index; null for 0.
const abi::SiteRecord* SiteAt(uint32_t index);

// The index of a function (as in kEnter); 0 for one of no known module.
uint32_t FunctionIndex(const abi::FunctionRecord* function);

// Where the running thread calls into the runtime: the innermost call site of
// its calling context that is not a library's own, or else `caller`, the return
// address of the hook.
Place PlaceOfCall(Thread& thread, const void* caller);

// Where it accesses memory.
inline Place PlaceOf(const SiteFacts& facts) {
  return {facts.anchor, facts.index, abi::kFlagInstrumented};
}
inline Place PlaceOfSite(const abi::SiteRecord* site) {
  return PlaceOf(FactsOf(site));
}

// A digest over the ids of all sites that are points.
uint64_t point_set_digest();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SITES_SITES_H_
