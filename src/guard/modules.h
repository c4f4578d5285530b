// guard/modules.h
//
// The instrumented modules of the process (abi/module.h): fills their hooks,
// gives sites their numbers, and sets the modes of those that are guarded, or,
// while learning, of all that can be.
//
// Tier: in-program. Threads: at start one; at dlopen under the loader's lock.

#ifndef FAIRLEAD_GUARD_MODULES_H_
#define FAIRLEAD_GUARD_MODULES_H_

namespace fairlead::guard {

enum class Sites { kThoseOfRules, kAll };

// Whether any is loaded now. Programs that a guarded one executes have none,
// mostly, and must not hear of us.
bool AnyModule();

// Finds the modules that are loaded now and were not known; how many sites of
// theirs are watched.
void AdoptModules(Sites which);

// Sets the numbers and modes of all known modules anew, as the rules say now.
void SetModes();

// A library that was opened is known now (guard/start.cc).
void OnModule();

// Guarded sites that some module has. What is missing is another program's.
unsigned CountFoundSites();

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_MODULES_H_
