#include "trace/location.h"

#include <iterator>

namespace fairlead::trace {

void Blocks::OnEvent(const Event& event) {
  switch (event.kind) {
    case EventKind::kAlloc:
    case EventKind::kRealloc:
    case EventKind::kMap:
    case EventKind::kStack:
    case EventKind::kTls:
    case EventKind::kModuleData:
      if (event.block && event.address != 0) {
        Add(event.address, event.value, event.block->number, /*known=*/false);
      }
      return;
    case EventKind::kFree:
      // Freed blocks keep their number until the memory is used again: a use
      // after free is about the block that was there.
      return;
    case EventKind::kUnmap:
      Remove(event.address, event.value);
      return;
    default:
      return;
  }
}

void Blocks::AddKnown(uint64_t begin, uint64_t end, uint64_t number) {
  if (begin < end) Add(begin, end - begin, number, /*known=*/true);
}

void Blocks::Add(uint64_t begin, uint64_t size, uint64_t number, bool known) {
  const uint64_t end = size == 0 ? begin + 1 : begin + size;
  if (end < begin) return;  // untrusted sizes may wrap around
  Remove(begin, end - begin);
  live_[begin] = {
      .end = end, .number = number, .origin = begin, .known = known};
}

// A block of the heap that loses a part is gone as a whole; a module stays on
// both sides of its data.
void Blocks::Remove(uint64_t begin, uint64_t size) {
  const uint64_t end = begin + size;
  if (end < begin) return;
  auto it = live_.upper_bound(begin);
  if (it != live_.begin() && std::prev(it)->second.end > begin) --it;
  while (it != live_.end() && it->first < end) {
    const uint64_t old_begin = it->first;
    const Extent old = it->second;
    it = live_.erase(it);
    if (!old.known) continue;
    if (old_begin < begin) {
      live_[old_begin] = old;
      live_[old_begin].end = begin;
    }
    if (old.end > end) live_[end] = old;
  }
}

Location Blocks::Locate(uint64_t address) const {
  const auto after = live_.upper_bound(address);
  if (after == live_.begin()) return {.block = 0, .offset = address};
  const Extent& extent = std::prev(after)->second;
  if (address >= extent.end) return {.block = 0, .offset = address};
  return {.block = extent.number, .offset = address - extent.origin};
}

}  // namespace fairlead::trace
