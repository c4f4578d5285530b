// runtime/sites/hand_out.h
//
// What an instrumented module is handed when it is found: hooks for its
// accesses, and the functions that annotations call. intercept/access.cc and
// intercept/annotations.cc answer.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_SITES_HAND_OUT_H_
#define FAIRLEAD_RUNTIME_SITES_HAND_OUT_H_

#include "abi/hooks.h"
#include "abi/module.h"

namespace fairlead::rt {

// Points all entries of a module's table to our hooks.
void FillHooks(abi::Hooks& hooks);

// Stores our table where the record says.
void HandOutAnnotations(const abi::AnnotationRecord& record);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SITES_HAND_OUT_H_
