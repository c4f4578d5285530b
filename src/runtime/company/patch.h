// runtime/company/patch.h
//
// Puts a function of ours in the place of an empty one in the program. Runtimes
// of sanitizers call such empty functions so that others may define them, but
// once they are linked into the executable, a library cannot.
//
// Tier: in-program. Threads: only while the process has one thread.

#ifndef FAIRLEAD_RUNTIME_COMPANY_PATCH_H_
#define FAIRLEAD_RUNTIME_COMPANY_PATCH_H_

namespace fairlead::rt {

// Makes calls of `function` go to `replacement`. False, and nothing changed,
// when `function` does more than return, has no room for a jump, or its page
// may not be written (some systems forbid changing code).
bool ReplaceEmptyFunction(void* function, void (*replacement)());

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_COMPANY_PATCH_H_
