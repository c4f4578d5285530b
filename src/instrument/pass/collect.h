// instrument/pass/collect.h
//
// Finds the sites of a function, on IR that nothing has changed yet: every
// load, store, atomic operation, fence, memory intrinsic, memcpy-like call,
// assembly that touches memory, call to a library-resident member, and every
// call that the calling context needs.

#ifndef FAIRLEAD_INSTRUMENT_PASS_COLLECT_H_
#define FAIRLEAD_INSTRUMENT_PASS_COLLECT_H_

#include <llvm/IR/Function.h>

#include "instrument/pass/locals.h"
#include "instrument/pass/site.h"
#include "instrument/pass/types.h"

namespace fairlead::pass {

// In the order of the code. Identity and records are not filled in.
Sites CollectSites(llvm::Function& function, Locals& locals,
                   const TypeCatalogue& types);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_COLLECT_H_
