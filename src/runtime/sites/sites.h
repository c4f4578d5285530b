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
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct Module;

// Called once for each instrumented module, before any of its code can reach a
// hook. Refuses, and says so, what a newer pass has made.
void AdoptSites(Module& module);

// Sets the modes of all sites anew, as the plan asks now.
void SetModes();

// What the events of a site always say.
struct SiteFacts {
  SiteId anchor;
  uint32_t index;  // as Event::site; 0 for a record of no known module
  uint16_t flags;  // as Event::flags
  EventKind kind;  // of an access
  uint8_t size;    // as Event::size
};
inline SiteFacts FactsOf(const abi::SiteRecord& site) {
  return {.anchor = static_cast<SiteId>(site.anchor),
          .index = site.number,
          .flags = static_cast<uint16_t>(site.told),
          .kind = static_cast<EventKind>(site.told >> 16 & 0xff),
          .size = static_cast<uint8_t>(site.told >> 24)};
}

// The index of a record (as Event::site); 0 for a record of no known module.
inline uint32_t SiteIndex(const abi::SiteRecord* site) { return site->number; }
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
  return PlaceOf(FactsOf(*site));
}

// A digest over the ids of all sites that are points.
uint64_t point_set_digest();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SITES_SITES_H_
