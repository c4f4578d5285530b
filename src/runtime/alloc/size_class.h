// runtime/alloc/size_class.h
//
// Sizes that the heap hands out: multiples of 16 up to 256, then eight steps
// per doubling up to 64 KB, so that less than an eighth of a block is wasted.
// Larger blocks have a span of their own.
//
// Tier: freestanding.

#ifndef FAIRLEAD_RUNTIME_ALLOC_SIZE_CLASS_H_
#define FAIRLEAD_RUNTIME_ALLOC_SIZE_CLASS_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::rt {

inline constexpr size_t kGrain = 16;
inline constexpr size_t kSmallBytes = 256;  // in steps of kGrain up to here
inline constexpr size_t kLargestClass = 65536;
inline constexpr size_t kNumSmall = kSmallBytes / kGrain;
inline constexpr size_t kStepsPerDoubling = 8;
inline constexpr size_t kNumClasses = kNumSmall + 8 * kStepsPerDoubling;

// The class of a size from 1 to kLargestClass.
constexpr size_t ClassOf(size_t bytes) {
  if (bytes <= kSmallBytes) return (bytes - 1) / kGrain;
  const size_t log2 = 63 - static_cast<size_t>(__builtin_clzll(bytes - 1));
  const size_t step = ((bytes - 1) >> (log2 - 3)) & 7;
  return kNumSmall + (log2 - 8) * kStepsPerDoubling + step;
}

constexpr size_t BytesOf(size_t size_class) {
  if (size_class < kNumSmall) return (size_class + 1) * kGrain;
  const size_t above = size_class - kNumSmall;
  const size_t log2 = 8 + above / kStepsPerDoubling;
  const size_t step = above % kStepsPerDoubling;
  return (size_t{8} + step + 1) << (log2 - 3);
}

static_assert(BytesOf(ClassOf(1)) == 16);
static_assert(BytesOf(ClassOf(256)) == 256);
static_assert(BytesOf(ClassOf(257)) == 288);
static_assert(BytesOf(ClassOf(512)) == 512);
static_assert(BytesOf(ClassOf(513)) == 576);
static_assert(BytesOf(ClassOf(kLargestClass)) == kLargestClass);
static_assert(ClassOf(kLargestClass) == kNumClasses - 1);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_ALLOC_SIZE_CLASS_H_
