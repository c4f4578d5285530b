// instrument/pass/bounds.h
//
// Tells a load that a loop counts up to from one that a loop waits for. In
//
//   for (i = 0; i < n; i += step) …        while (turn != i) …
//
// `n` and `step` are read again and again and stay as they are, just as `turn`
// is; but the first loop ends by itself, and is no spin (runtime/gate/spin.h).
//
// A load is a bound if all that its value does is to be compared with a counter
// of the innermost loop around it, or to move such a counter on. A counter is a
// private local that the same loop sets to itself and something more.
//
// Incomplete: a value that is returned, passed on, or kept in a local first.
// Unsound: where the loop around such a loop waits for the bound to change, and
// for nothing else.

#ifndef FAIRLEAD_INSTRUMENT_PASS_BOUNDS_H_
#define FAIRLEAD_INSTRUMENT_PASS_BOUNDS_H_

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include "instrument/pass/locals.h"

namespace fairlead::pass {

bool IsBound(const llvm::LoadInst& load, const llvm::LoopInfo& loops,
             Locals& locals);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_BOUNDS_H_
