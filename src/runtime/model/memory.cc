#include "runtime/model/memory.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/alloc/heap.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/intercept/hook.h"
#include "runtime/model/misuse.h"
#include "runtime/model/objects.h"

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

}  // namespace

void* AllocateBlock(Thread& thread, size_t bytes, size_t alignment,
                    Content content, const Place& place) {
  bool fresh = false;
  char* address = HeapAllocate(bytes, alignment, &fresh);
  if (address == nullptr) return nullptr;
  if (content == Content::kZeroed && !fresh) memset(address, 0, bytes);
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
  memcpy(moved, address, bytes < old_bytes ? bytes : old_bytes);
  gate().Tell(thread, EventKind::kFree, address, old_bytes);
  EndObjectsIn(address, old_bytes);
  EmitBlock(thread, EventKind::kFree, address, old_bytes, old_number, false);
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
