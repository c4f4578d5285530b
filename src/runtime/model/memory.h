// runtime/model/memory.h
//
// Allocation as the program sees it: blocks, their events, and the mistakes
// that the heap recognises. Allocation is never a point; freeing is one where
// the plan says so.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_MEMORY_H_
#define FAIRLEAD_RUNTIME_MODEL_MEMORY_H_

#include <stddef.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

enum class Content : uint8_t { kAny, kZeroed };

// Null when there is no memory.
void* AllocateBlock(Thread& thread, size_t bytes, size_t alignment,
                    Content content, const Place& place);

// Whether the thread may be stopped ahead of a free.
enum class FreeAs : uint8_t { kNoPoint, kPoint };

// `address` is in the heap. A double or bad free is reported; then the process
// aborts, as glibc would have it.
void FreeBlock(Thread& thread, void* address, const Place& place, FreeAs as);

// As realloc: null when there is no memory, and then the old block stays.
void* ResizeBlock(Thread& thread, void* address, size_t bytes,
                  const Place& place);

// Bytes that the program may use at `address`, which is in the heap.
size_t UsableBytes(const void* address);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_MEMORY_H_
