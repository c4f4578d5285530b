// guard/backoff.h
//
// How much may be stalled: a budget for all threads in any second, and less and
// less for violations whose stalls were in vain. What was never learnt because
// nobody tried it must not slow a program down for ever.
//
// Tier: in-program. Threads: any. Racy by design: counts may lose some.

#ifndef FAIRLEAD_GUARD_BACKOFF_H_
#define FAIRLEAD_GUARD_BACKOFF_H_

#include <stdint.h>

namespace fairlead::guard {

enum class StallEnd : uint32_t {
  kResolved,
  kUnresolved,
  kHopeless,
  kOverBudget,  // not stalled
  kBackedOff,   // not stalled
  kObserved,    // nobody is
};

// Whether an access at `site` behind `place` may be stalled now: kResolved, or
// why not.
StallEnd MayStall(uint32_t site, uint32_t place, uint64_t now);
// What came of it.
void NoteStall(uint32_t site, uint32_t place, StallEnd end, uint64_t ns);

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_BACKOFF_H_
