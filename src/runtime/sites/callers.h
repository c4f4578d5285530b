// runtime/sites/callers.h
//
// Call addresses of code that was not instrumented, interned: each gets a small
// number, an entry in the control page, and an anchor made of the module's file
// name and the offset in it.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_SITES_CALLERS_H_
#define FAIRLEAD_RUNTIME_SITES_CALLERS_H_

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// The place behind a return address. Site 0 and SiteId::kNone when it lies in
// no module (generated code) or the table is full.
Place PlaceOfCaller(const void* caller);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SITES_CALLERS_H_
