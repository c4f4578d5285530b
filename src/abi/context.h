// abi/context.h
//
// The calling context of an event as one number, equal in every execution and
// under address randomisation: a hash over the anchors of the calls that lead
// there, from the root on.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_CONTEXT_H_
#define FAIRLEAD_ABI_CONTEXT_H_

#include <stdint.h>

namespace fairlead::abi {

inline constexpr uint64_t kRootContext = 1;

// One step of a digest. Multiplies to 128 bits and folds: every bit of both
// arguments reaches every bit of the result, in two nanoseconds.
constexpr uint64_t Fold(uint64_t digest, uint64_t word) {
  const unsigned __int128 product =
      static_cast<unsigned __int128>(digest ^ 0x9e3779b97f4a7c15) *
      (word ^ 0xd6e8feb86659fd93);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64) ^
         (digest << 1);
}

// The context of what is called at `anchor`, in `context`.
constexpr uint64_t ContextOfCall(uint64_t context, uint64_t anchor) {
  return Fold(context, anchor);
}

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_CONTEXT_H_
