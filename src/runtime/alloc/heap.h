// runtime/alloc/heap.h
//
// The program's heap while it is controlled. Lies at a fixed address and hands
// out addresses by a rule that depends on the sequence of calls alone, so every
// repetition of a schedule sees the same ones, on either carrier. Blocks are
// numbered; what is known about them is kept apart from the program's memory,
// where an overflow cannot reach it. A freed block rests in quarantine before
// its memory is used again, so that a second free, and accesses to it, are
// recognised.
//
//   kHeapBegin
//   | unit 64 KB | unit | unit ...        a span is one or more units,
//   |--- span ---|---- span ----|         cut into slots of one size
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_ALLOC_HEAP_H_
#define FAIRLEAD_RUNTIME_ALLOC_HEAP_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::rt {

// Like the stacks, between ASan's shadow and what the kernel gives out.
inline constexpr uintptr_t kHeapBegin = 0x2000'0000'0000;
inline constexpr size_t kDefaultHeapBytes = size_t{64} << 30;
// Behind every block, in its slot: bytes of nobody, so that an index that is
// one too large, of elements of up to this size, meets no other block. Blocks
// with an alignment of their own have what their slot leaves over.
inline constexpr size_t kRedZone = 16;

enum class SlotState : uint8_t { kFree, kLive, kQuarantined };

// What is known about one slot, and about the block in it.
struct Slot {
  uint64_t number;      // of the block; from 1; 0 = never used
  uint64_t bytes : 56;  // as asked for
  SlotState state : 8;
};

struct Span;

// A slot found from an address.
struct Found {
  Slot* slot = nullptr;  // null: not in the heap, or in no slot
  char* begin = nullptr;
  size_t capacity = 0;  // bytes of the slot
};

enum class FreeResult : uint8_t { kDone, kDoubleFree, kBadFree };

// Reserves the heap's address space. Called once, at the start.
void PrepareHeap(uint64_t bytes);

// The next block number, for memory that is not of the heap.
uint64_t NumberBlock();

bool InHeap(const void* address);
// For addresses in the heap: bytes from its begin.
uint64_t HeapOffset(const void* address);

// A block of `bytes`, aligned to `alignment` (a power of two); null when the
// heap is full. *fresh (if not null) tells whether its memory is still zero.
char* HeapAllocate(size_t bytes, size_t alignment, bool* fresh);
FreeResult HeapFree(void* address);
Found FindBlock(const void* address);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_ALLOC_HEAP_H_
