#include "runtime/alloc/heap.h"

#include "runtime/alloc/quarantine.h"
#include "runtime/alloc/size_class.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/check.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {

struct Span {
  char* begin;
  size_t slot_bytes;
  uint64_t reciprocal;  // of slot_bytes, 2^32 / slot_bytes rounded up
  uint32_t num_slots;
  uint32_t num_used;  // slots at the front that were ever given out
  uint32_t num_units;
  Slot* slots;
};

namespace {

constexpr size_t kUnitBytes = 65536;
// Spans of small classes hold at least this many slots.
constexpr size_t kMinSlots = 8;
constexpr size_t kPage = 4096;
// Address space that the heap leaves to others at least, unless it is smaller.
constexpr size_t kMostRest = size_t{1} << 30;

char* heap_begin = nullptr;
size_t heap_bytes = 0;
Span** span_of_unit = nullptr;  // null = unit not used yet
size_t num_units = 0;           // of the units from the front, used
size_t max_units = 0;
Span* current[kNumClasses];  // with slots that were never given out
uint64_t next_number = 0;

// Memory that may be used again: slots, the first freed first.
struct FreeSlot {
  char* address;
  FreeSlot* next;
};
FreeSlot* free_first[kNumClasses];
FreeSlot* free_last[kNumClasses];
FreeSlot* spare_cells = nullptr;
// Large spans that may be used again, the last freed first.
struct FreeSpan {
  Span* span;
  FreeSpan* next;
};
FreeSpan* free_spans = nullptr;

// Units that are left out for the alignment belong to no span.
Span* MakeSpan(size_t slot_bytes, size_t slots, size_t alignment) {
  const size_t units = (slot_bytes * slots + kUnitBytes - 1) / kUnitBytes;
  const auto next =
      reinterpret_cast<uintptr_t>(heap_begin + num_units * kUnitBytes);
  const size_t skipped = (0 - next & (alignment - 1)) / kUnitBytes;
  if (skipped > max_units - num_units ||
      units > max_units - num_units - skipped) {
    return nullptr;
  }
  num_units += skipped;
  Span* span = ArenaNew<Span>();
  span->begin = heap_begin + num_units * kUnitBytes;
  span->slot_bytes = slot_bytes;
  span->reciprocal = ((uint64_t{1} << 32) + slot_bytes - 1) / slot_bytes;
  span->num_slots = static_cast<uint32_t>(slots);
  span->num_units = static_cast<uint32_t>(units);
  span->slots = ArenaArray<Slot>(slots);
  for (size_t i = 0; i < units; ++i) span_of_unit[num_units++] = span;
  return span;
}

void Recycle(char* address) {
  const Found found = FindBlock(address);
  found.slot->state = SlotState::kFree;
  Span* span =
      span_of_unit[static_cast<size_t>(address - heap_begin) / kUnitBytes];
  if (span->slot_bytes > kLargestClass) {
    FreeSpan* cell = ArenaNew<FreeSpan>();
    *cell = {span, free_spans};
    free_spans = cell;
    return;
  }
  FreeSlot* cell = spare_cells;
  if (cell != nullptr) {
    spare_cells = cell->next;
  } else {
    cell = static_cast<FreeSlot*>(ArenaAllocate(sizeof(FreeSlot)));
  }
  *cell = {address, nullptr};
  const size_t size_class = ClassOf(span->slot_bytes);
  if (free_last[size_class] != nullptr) {
    free_last[size_class]->next = cell;
  } else {
    free_first[size_class] = cell;
  }
  free_last[size_class] = cell;
}

char* TakeRecycled(size_t size_class) {
  FreeSlot* cell = free_first[size_class];
  if (cell == nullptr) return nullptr;
  free_first[size_class] = cell->next;
  if (cell->next == nullptr) free_last[size_class] = nullptr;
  cell->next = spare_cells;
  spare_cells = cell;
  return cell->address;
}

char* TakeSmall(size_t size_class, bool* fresh) {
  *fresh = false;
  char* recycled = TakeRecycled(size_class);
  if (recycled != nullptr) return recycled;
  Span*& span = current[size_class];
  if (span == nullptr || span->num_used == span->num_slots) {
    const size_t bytes = BytesOf(size_class);
    const size_t span_bytes =
        bytes * kMinSlots > kUnitBytes ? bytes * kMinSlots : kUnitBytes;
    span = MakeSpan(bytes, span_bytes / bytes, kUnitBytes);
    if (span == nullptr) return nullptr;
  }
  *fresh = true;
  return span->begin + span->slot_bytes * span->num_used++;
}

bool IsAligned(const char* address, size_t alignment) {
  return (reinterpret_cast<uintptr_t>(address) & (alignment - 1)) == 0;
}

char* TakeLarge(size_t bytes, size_t alignment, bool* fresh) {
  bytes = (bytes + kPage - 1) / kPage * kPage;
  for (FreeSpan** link = &free_spans; *link != nullptr; link = &(*link)->next) {
    Span* span = (*link)->span;
    // Not one that is twice too big: it would be missed later.
    if (span->slot_bytes < bytes || span->slot_bytes / 2 > bytes) continue;
    if (!IsAligned(span->begin, alignment)) continue;
    *link = (*link)->next;
    *fresh = false;
    return span->begin;
  }
  Span* span = MakeSpan(bytes, 1, alignment);
  if (span == nullptr) return nullptr;
  span->num_used = 1;
  *fresh = true;
  return span->begin;
}

}  // namespace

void PrepareHeap(uint64_t bytes) {
  if (bytes == 0) bytes = kDefaultHeapBytes;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* fixed = reinterpret_cast<void*>(kHeapBegin);
  // A limit on address space (ulimit -v) may leave room for a smaller one, and
  // must leave as much for stacks, tables and libraries.
  for (; bytes >= kUnitBytes * 16; bytes /= 4) {
    heap_begin = static_cast<char*>(sys::Map(
        fixed, bytes, PROT_READ | PROT_WRITE, kFlags | MAP_FIXED_NOREPLACE));
    if (heap_begin == nullptr) continue;
    const size_t rest = bytes < kMostRest ? bytes : kMostRest;
    void* tried = sys::Map(nullptr, rest, PROT_NONE, kFlags);
    if (tried != nullptr) {
      sys::Unmap(tried, rest);
      break;
    }
    sys::Unmap(heap_begin, bytes);
    heap_begin = nullptr;
  }
  RT_CHECK(heap_begin != nullptr);
  heap_bytes = bytes;
  max_units = bytes / kUnitBytes;
  span_of_unit = ArenaArray<Span*>(max_units);
}

uint64_t NumberBlock() { return ++next_number; }

bool InHeap(const void* address) {
  return static_cast<size_t>(static_cast<const char*>(address) - heap_begin) <
         heap_bytes;
}

uint64_t HeapOffset(const void* address) {
  return static_cast<uint64_t>(static_cast<const char*>(address) - heap_begin);
}

Found FindBlock(const void* address) {
  const uint64_t offset = HeapOffset(address);
  if (offset >= heap_bytes) return {};
  const Span* span = span_of_unit[offset / kUnitBytes];
  if (span == nullptr) return {};
  const auto inside =
      static_cast<uint64_t>(static_cast<const char*>(address) - span->begin);
  size_t index = 0;
  if (span->num_slots > 1) index = (inside * span->reciprocal) >> 32;
  // The reciprocal is rounded up, so the quotient may be one too large.
  if (index * span->slot_bytes > inside) --index;
  if (index >= span->num_used) return {};
  return {&span->slots[index], span->begin + index * span->slot_bytes,
          span->slot_bytes};
}

char* HeapAllocate(size_t bytes, size_t alignment, bool* fresh) {
  bool ignored;
  if (fresh == nullptr) fresh = &ignored;
  if (bytes > heap_bytes) return nullptr;
  size_t room = alignment > kGrain ? bytes : bytes + kRedZone;
  if (room == 0) room = 1;
  // Slots of a power of two are aligned to it, every span to 64 KB, and one of
  // a single block to whatever is asked for.
  const size_t of_span = alignment > kUnitBytes ? alignment : kUnitBytes;
  if (alignment > kUnitBytes) {
    if (room <= kLargestClass) room = kLargestClass + 1;
  } else if (alignment > kGrain) {
    while ((room & (alignment - 1)) != 0 || (room & (room - 1)) != 0) {
      room = size_t{1} << (64 - __builtin_clzll(room | (alignment - 1)));
    }
  }
  if (alignment > heap_bytes || room > heap_bytes) return nullptr;
  char* address = room > kLargestClass ? TakeLarge(room, of_span, fresh)
                                       : TakeSmall(ClassOf(room), fresh);
  if (address == nullptr) return nullptr;
  Slot& slot = *FindBlock(address).slot;
  slot.number = NumberBlock();
  slot.bytes = bytes;
  slot.state = SlotState::kLive;
  return address;
}

FreeResult HeapFree(void* address) {
  const Found found = FindBlock(address);
  if (found.slot == nullptr || found.begin != address) {
    return FreeResult::kBadFree;
  }
  if (found.slot->state != SlotState::kLive) return FreeResult::kDoubleFree;
  found.slot->state = SlotState::kQuarantined;
  quarantine().Put(found.begin, found.capacity);
  while (char* rested = quarantine().TakeRested()) Recycle(rested);
  return FreeResult::kDone;
}

}  // namespace fairlead::rt
