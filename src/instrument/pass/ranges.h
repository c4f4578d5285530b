// instrument/pass/ranges.h
//
// Transformation: accesses to ranges of bytes made by memory intrinsics, by
// calls of library code and by inline assembly. The call stays where it is; the
// hooks go around it. They are handed what the length is made of: one that only
// a string tells is measured by the hook, never in an idle program.

#ifndef FAIRLEAD_INSTRUMENT_PASS_RANGES_H_
#define FAIRLEAD_INSTRUMENT_PASS_RANGES_H_

#include "instrument/pass/site.h"
#include "instrument/pass/stubs.h"

namespace fairlead::pass {

// Instruments one range site.
void InstrumentRange(const Site& site, Stubs& stubs);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_RANGES_H_
