// runtime/alloc/own_calloc.h
//
// Our own calloc, by a name that nobody else has: `calloc` itself is whoever
// comes first in the process, the program if it brings one.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_ALLOC_OWN_CALLOC_H_
#define FAIRLEAD_RUNTIME_ALLOC_OWN_CALLOC_H_

#include <stddef.h>

extern "C" __attribute__((visibility("hidden"))) void* __fl_own_calloc(
    size_t count, size_t bytes);

#endif  // FAIRLEAD_RUNTIME_ALLOC_OWN_CALLOC_H_
