// abi/version.h
//
// The number that an instrumented program and a runtime must agree on before
// either touches the other's memory.
//
// History (newest first; a reader refuses what is newer than itself):
//   5  records of sites are packed, and unpacked by the runtime.
//   4  frames tell when a thread leaves the code that was compiled with us.
//   3  one unit of data per translation unit instead of sections per record;
//      stubs make the accesses; frames count in their slot.
//   2  frames leave the call that they make in their slot, and write plain
//      events themselves; hooks behind accesses are told the instructions.
//   1  first layout of site, function and type records, notes and hooks.

#ifndef FAIRLEAD_ABI_VERSION_H_
#define FAIRLEAD_ABI_VERSION_H_

#include <stdint.h>

namespace fairlead::abi {

inline constexpr uint32_t kAbiVersion = 5;

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_VERSION_H_
