// instrument/pass/accesses.h
//
// Transformation: loads, stores, atomic operations and fences. A plain load or
// store becomes one call of the stub that makes it:
//
//   v = load p            v = __fl_load4(p, site)
//
// What has no such stub (atomic, wide, or looked at by a sanitizer, which must
// see the access itself) stays where it is, between two calls:
//
//   v = load p            __fl_before(p, site); v = load p;
//                         __fl_after(p, site, v)
//
// Modes are tested in the stubs: a block stays one block.

#ifndef FAIRLEAD_INSTRUMENT_PASS_ACCESSES_H_
#define FAIRLEAD_INSTRUMENT_PASS_ACCESSES_H_

#include "instrument/pass/site.h"
#include "instrument/pass/stubs.h"

namespace fairlead::pass {

// Instruments one site that is neither a range nor a call. Its instruction may
// be gone then.
void InstrumentAccess(const Site& site, Stubs& stubs);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_ACCESSES_H_
