// runtime/emit/digest.h
//
// Digests that tell whether two executions were the same. Addresses enter by
// what they are in the program (block and offset, module and offset, thread and
// offset), never raw, so that digests hold under address randomisation.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_EMIT_DIGEST_H_
#define FAIRLEAD_RUNTIME_EMIT_DIGEST_H_

#include <stdint.h>

namespace fairlead::rt {

// One step of a digest. Multiplies to 128 bits and folds: every bit of both
// arguments reaches every bit of the result, in two nanoseconds.
inline uint64_t Fold(uint64_t digest, uint64_t word) {
  const unsigned __int128 product =
      static_cast<unsigned __int128>(digest ^ 0x9e3779b97f4a7c15) *
      (word ^ 0xd6e8feb86659fd93);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64) ^
         (digest << 1);
}

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
  return PortableAddress(value);
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_EMIT_DIGEST_H_
