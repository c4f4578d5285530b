#include "runtime/model/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/alloc/heap.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/model/block_oracle.h"
#include "runtime/model/misuse.h"
#include "runtime/model/objects.h"
#include "runtime/sys/check.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

void EmitBlock(Thread& thread, EventKind kind, const void* address,
               uint64_t bytes, uint64_t number, bool zeroed) {
  emitter().Emit(thread, kind, 0, address, bytes,
                 {.kind = EventKind::kExtBlock,
                  .address = 0,
                  .value = number,
                  .site = static_cast<uint32_t>(abi::BlockClass::kHeap),
                  .node = zeroed});
}

[[noreturn]] void AbortForFree(Thread& thread, abi::Misuse what,
                               void* address) {
  ReportMisuse(thread, what, address);
  ProgramScope program(thread);
  abort();
}

// The live block that begins at `address`.
Slot& LiveBlock(Thread& thread, void* address) {
  const Found found = FindBlock(address);
  if (found.slot == nullptr || found.begin != address) {
    AbortForFree(thread, abi::Misuse::kBadFree, address);
  }
  if (found.slot->state != SlotState::kLive) {
    AbortForFree(thread, abi::Misuse::kDoubleFree, address);
  }
  return *found.slot;
}

// From here on a block has pages of its own (alloc/heap.h), and moving those
// costs less than copying them; pages that were never touched stay untouched.
constexpr size_t kMovedByPages = size_t{1} << 20;
constexpr size_t kPage = 4096;

// Of a block, so many bytes are filled: what is read before it is set lies in
// structures, and large blocks are buffers whose pages need not be touched.
constexpr size_t kMostFilled = 65536;

// Of a freed block, so many: pointers lie in structures.
constexpr size_t kMostFreedFilled = 4096;

void FillIfFreed(char* begin, size_t bytes) {
  if (!PlanAsks(abi::kPlanFillFreed) || gate().num_live() < 2) return;
  memset(begin, abi::kFreedByte,
         bytes < kMostFreedFilled ? bytes : kMostFreedFilled);
}

// Moves the pages and leaves zeros behind. False where the kernel cannot.
bool MovePages(char* to, char* from, size_t bytes) {
  const long moved =
      sys::Call(SYS_mremap, sys::Arg(from), static_cast<long>(bytes),
                static_cast<long>(bytes),
                MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, sys::Arg(to));
  if (moved == sys::Arg(to)) return true;
  // It may have taken away what was there.
  void* again =
      sys::Map(to, bytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED);
  RT_CHECK(again == to);
  return false;
}

void MoveContents(char* to, char* from, size_t bytes) {
  size_t done = 0;
  if (bytes >= kMovedByPages) {
    const size_t whole = bytes / kPage * kPage;
    if (MovePages(to, from, whole)) done = whole;
  }
  memcpy(to + done, from + done, bytes - done);
}

}  // namespace

void* AllocateBlock(Thread& thread, size_t bytes, size_t alignment,
                    Content content, const Place& place) {
  bool fresh = false;
  char* address = HeapAllocate(bytes, alignment, &fresh);
  if (address == nullptr) return nullptr;
  if (content == Content::kZeroed && !fresh) memset(address, 0, bytes);
  if (content == Content::kAny && PlanAsks(abi::kPlanFill)) {
    FillBlock(address, bytes < kMostFilled ? bytes : kMostFilled);
  }
  thread.place = place;
  EmitBlock(thread, EventKind::kAlloc, address, bytes,
            FindBlock(address).slot->number, content == Content::kZeroed);
  return address;
}

void FreeBlock(Thread& thread, void* address, const Place& place, FreeAs as) {
  thread.place = place;
  if (as == FreeAs::kPoint) {
    gate().Arrive(thread,
                  {.op = EventKind::kFree,
                   .object = address,
                   .bytes = UsableBytes(address)},
                  place);
  }
  const Slot& block = LiveBlock(thread, address);
  if (as == FreeAs::kNoPoint) {
    gate().Tell(thread, EventKind::kFree, address, block.bytes);
  }
  EndObjectsIn(address, block.bytes);
  EmitBlock(thread, EventKind::kFree, address, block.bytes, block.number,
            false);
  FillIfFreed(static_cast<char*>(address), block.bytes);
  HeapFree(address);
}

void* ResizeBlock(Thread& thread, void* address, size_t bytes,
                  const Place& place) {
  thread.place = place;
  const Slot& old = LiveBlock(thread, address);
  const uint64_t old_bytes = old.bytes;
  const uint64_t old_number = old.number;
  char* moved = HeapAllocate(bytes, 1, nullptr);
  if (moved == nullptr) return nullptr;
  MoveContents(moved, static_cast<char*>(address),
               bytes < old_bytes ? bytes : old_bytes);
  if (bytes > old_bytes && PlanAsks(abi::kPlanFill)) {
    const size_t grown = bytes - old_bytes;
    FillBlock(moved + old_bytes, grown < kMostFilled ? grown : kMostFilled);
  }
  gate().Tell(thread, EventKind::kFree, address, old_bytes);
  EndObjectsIn(address, old_bytes);
  EmitBlock(thread, EventKind::kFree, address, old_bytes, old_number, false);
  FillIfFreed(static_cast<char*>(address), old_bytes);
  HeapFree(address);
  EmitBlock(thread, EventKind::kRealloc, moved, bytes,
            FindBlock(moved).slot->number, false);
  return moved;
}

size_t UsableBytes(const void* address) {
  const Found found = FindBlock(address);
  return found.slot == nullptr ? 0 : found.slot->bytes;
}

}  // namespace fairlead::rt
