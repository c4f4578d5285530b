// instrument/pass/leaf_call.h
//
// Transformation: calls of leaves from active bodies. Most of what a program
// calls is small and calls nothing (accessors, operators), and after a profile
// most of these have nothing to tell. The context of such a call is of no use
// to anybody:
//
//   if (no mode that the leaf asks for is set) leaf.idle(…)
//   else {context} leaf.active(…) {context}
//
// The idle body is written in place where it is tiny.

#ifndef FAIRLEAD_INSTRUMENT_PASS_LEAF_CALL_H_
#define FAIRLEAD_INSTRUMENT_PASS_LEAF_CALL_H_

#include "instrument/pass/idle_copy.h"

namespace fairlead::pass {

// Makes two calls out of `call`, which becomes the second. `functions`: the
// address of the unit's first function record.
void SplitLeafCall(llvm::CallInst& call, const IdleCopies::Leaf& leaf,
                   llvm::Value* functions);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_LEAF_CALL_H_
