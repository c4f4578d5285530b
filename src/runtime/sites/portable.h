// runtime/sites/portable.h
//
// Addresses as numbers that mean the same in every execution: what an address
// is in the program (module and offset, thread and offset), so that digests and
// features hold under address randomisation.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_SITES_PORTABLE_H_
#define FAIRLEAD_RUNTIME_SITES_PORTABLE_H_

#include <stdint.h>

namespace fairlead::rt {

// Most addresses of modules are in the module of the last one.
struct LastModule {
  uint64_t begin;
  uint64_t bytes;
  uint64_t shift;  // from an address to its portable number
};
extern LastModule last_module;

// A number that means the same in every execution: an address of the program
// as (what it belongs to, offset), anything else unchanged.
uint64_t PortableAddress(uint64_t value);
inline uint64_t Portable(uint64_t value) {
  // Our heap and stacks lie at fixed addresses, and all else that has an
  // address above 85 TB: position-independent executables, libraries, mappings.
  constexpr uint64_t kRandomisedBegin = 0x5500'0000'0000;
  constexpr uint64_t kUserEnd = 0x8000'0000'0000;
  if (value - kRandomisedBegin >= kUserEnd - kRandomisedBegin) [[likely]] {
    return value;
  }
  if (value - last_module.begin < last_module.bytes) [[likely]] {
    return value + last_module.shift;
  }
  return PortableAddress(value);
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SITES_PORTABLE_H_
