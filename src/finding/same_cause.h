// finding/same_cause.h
//
// Whether two findings of one program have one cause although they show it at
// different places, so that their fingerprints differ:
//   - uses after free of what the same function of the program freed: the free
//     came too early, whoever was the first to touch the memory
//   - a use after free, and a data race with the free that it is about
//   - crashes of which one is the other without its innermost calls: in code
//   that
//     was optimised they may not be known
//   - threads that wait for a word of others, of which those of one finding are
//     among those of the other: who else was waiting depends on the schedule
//
// Incomplete: a function that frees many things for many reasons has one cause.

#ifndef FAIRLEAD_FINDING_SAME_CAUSE_H_
#define FAIRLEAD_FINDING_SAME_CAUSE_H_

#include "finding/finding.h"

namespace fairlead::finding {

// Whether there are causes that findings of this kind can share.
inline bool IsToldByCause(Kind kind) {
  return kind == Kind::kUseAfterFree || kind == Kind::kLostWakeup ||
         kind == Kind::kCrash;
}

// Both with their slices, where they have one; a race as the second.
bool HaveOneCause(const Finding& a, const Finding& b);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SAME_CAUSE_H_
