// runtime/outside/pointers.h
//
// Whether the memory that a system call names is there: a model reads and fills
// it where the kernel would, and must answer EFAULT as the kernel does.
//
// Incomplete: memory that can be read and not written is taken for good.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_POINTERS_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_POINTERS_H_

#include <stddef.h>

#include "runtime/outside/call.h"

namespace fairlead::rt {

// Whether `bytes` at `address` can be read.
bool IsThere(const void* address, size_t bytes);

// The same for all that outside/pointers.inc has for this call.
bool PointersAreThere(const Call& call);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_POINTERS_H_
