// instrument/pass/accesses.h
//
// Transformation: loads, stores, atomic operations and fences. The access is
// written twice, once for each answer of the mode test, so that an idle site
// costs one load and one branch and the optimizer may keep that copy as it is:
//
//   mode = *site.mode                            idle
//   if (mode != 0) {                             ----
//     if (mode & before|count) hooks.before(…)   v = load p
//     v = load p
//     if (mode & after) hooks.after(…, v)
//   }

#ifndef FAIRLEAD_INSTRUMENT_PASS_ACCESSES_H_
#define FAIRLEAD_INSTRUMENT_PASS_ACCESSES_H_

#include "instrument/pass/frames.h"
#include "instrument/pass/hook_table.h"
#include "instrument/pass/site.h"

namespace fairlead::pass {

// Instruments one site that is neither a range nor a call.
void InstrumentAccess(const Site& site, const HookTable& hooks,
                      const Frame& frame);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_ACCESSES_H_
