// instrument/pass/ranges.h
//
// Transformation: accesses to ranges of bytes made by memory intrinsics, by
// calls of library code and by inline assembly. The call stays where it is; the
// hooks go around it. A length that only a string tells is measured on the way
// to the hook, never in an idle program.

#ifndef FAIRLEAD_INSTRUMENT_PASS_RANGES_H_
#define FAIRLEAD_INSTRUMENT_PASS_RANGES_H_

#include "instrument/pass/frames.h"
#include "instrument/pass/hook_table.h"
#include "instrument/pass/site.h"

namespace fairlead::pass {

// Instruments one range site.
void InstrumentRange(const Site& site, const HookTable& hooks,
                     const Frame& frame);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_RANGES_H_
