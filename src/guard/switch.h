// guard/switch.h
//
// What reaches a guard from outside while it runs: switches that turn it off,
// and rules that are to be read again.
//
// Tier: in-program. Threads: any.

#ifndef FAIRLEAD_GUARD_SWITCH_H_
#define FAIRLEAD_GUARD_SWITCH_H_

namespace fairlead::guard {

// Installs the handler of the signal that the options name, if any.
void PrepareSwitches();

// Looks at the file that switches the guard off, and at whether rules are to be
// read again. Cheap enough ahead of a stall, and for nothing more frequent.
void HeedOutside();

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_SWITCH_H_
