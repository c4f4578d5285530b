// runtime/intercept/sanitizer.h
//
// What sanitizers in the process call (company/sanitizer.h).
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_SANITIZER_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_SANITIZER_H_

#include "runtime/company/sanitizer.h"

namespace fairlead::rt {

extern const SanitizerHooks sanitizer_hooks;

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_SANITIZER_H_
