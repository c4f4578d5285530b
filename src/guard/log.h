// guard/log.h
//
// The log of violations: a line for each, with tabs between its words, appended
// to a file. At most so many lines in a second; what is more is counted.
//
//   nanoseconds  pid  thread  end  stalled-ns  site-anchor  place  history
//
// Tier: in-program. Threads: any; async-signal-safe.

#ifndef FAIRLEAD_GUARD_LOG_H_
#define FAIRLEAD_GUARD_LOG_H_

#include <stdint.h>

#include "guard/backoff.h"

namespace fairlead::guard {

void LogStall(uint32_t site, uint32_t place, StallEnd end, uint64_t ns);

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_LOG_H_
