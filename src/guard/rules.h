// guard/rules.h
//
// What is allowed: which sites are guarded, and which remote predecessors each
// may have. Read once from a file that the tool has written
// (abi/guard_rules.h); read again, when the tool says so, into tables of their
// own, so that nobody who looks at the old ones is disturbed.
//
// Tier: in-program. Threads: any may ask; async-signal-safe.

#ifndef FAIRLEAD_GUARD_RULES_H_
#define FAIRLEAD_GUARD_RULES_H_

#include <stdint.h>

#include "abi/guard_rules.h"

namespace fairlead::guard {

// Reads `path`. Null, or why there are no rules in it.
const char* ReadRulesUntrusted(const char* path);

// The number of a guarded site; 0 = it is none.
uint32_t SiteNumber(uint64_t anchor);
uint64_t AnchorOf(uint32_t site);
uint32_t num_guarded_sites();

bool IsAllowed(uint32_t site, uint32_t place);

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_RULES_H_
