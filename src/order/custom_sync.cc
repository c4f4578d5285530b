#include "order/custom_sync.h"

#include <algorithm>

namespace fairlead::order {
namespace {

constexpr uint64_t kPointerBytes = 8;

}  // namespace

CustomSync::Reading& CustomSync::ReadingOf(Tid tid) {
  const size_t index = abi::Index(tid);
  if (index >= readings_.size()) readings_.resize(index + 1);
  return readings_[index];
}

CustomSync::HeapBlock* CustomSync::BlockAt(uint64_t address) {
  if (address < heap_first_ || address >= heap_end_) return nullptr;
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  --after;
  return address - after->first < after->second.bytes ? &after->second
                                                      : nullptr;
}

// False when the thread knew the block already.
bool CustomSync::Introduce(HeapBlock& block, Tid tid) {
  if (std::ranges::find(block.known_to, tid) != block.known_to.end()) {
    return false;
  }
  block.known_to.push_back(tid);
  return true;
}

const Knowledge* CustomSync::Learns(const Event& event, AccessKind kind) {
  if (HeapBlock* touched = BlockAt(event.address)) {
    Introduce(*touched, event.tid);
  }
  Reading& last = ReadingOf(event.tid);
  if (!Reads(kind)) {
    last.address = 0;
    last.site = ~uint64_t{0};  // of no read
    return nullptr;
  }
  const uint64_t site = SiteKey(event);
  const uint64_t seen = event.old_value.value_or(event.value);
  const bool same_place = last.site == site && last.address == event.address;
  const bool waited = same_place && last.again && last.value != seen;
  const bool again = same_place && last.value == seen;
  last = {site, event.address, seen, again};
  if (again) written_.At(event.address).watched = true;

  bool introduced = false;
  if (event.size == kPointerBytes) {
    HeapBlock* block = BlockAt(seen);
    introduced = block != nullptr && Introduce(*block, event.tid);
  }
  if (!waited && !introduced) return nullptr;
  const Written* written = written_.Find(event.address);
  if (written == nullptr || !written->valid || written->value != seen ||
      written->writer == event.tid) {
    return nullptr;
  }
  return &written->knowledge;
}

bool CustomSync::Publishes(const Event& event) {
  if (event.size == kPointerBytes && BlockAt(event.value) != nullptr) {
    return true;
  }
  Written* written = written_.Find(event.address);
  if (written == nullptr) return false;
  written->valid = false;
  written->knowledge = {};
  return written->watched;
}

void CustomSync::Publish(const Event& event, Knowledge knowledge) {
  Written& written = written_.At(event.address);
  written.valid = true;
  written.value = event.value;
  written.writer = event.tid;
  written.knowledge = std::move(knowledge);
  if (event.size == kPointerBytes) {
    if (HeapBlock* block = BlockAt(event.value)) Introduce(*block, event.tid);
  }
}

void CustomSync::OnMemory(const Event& event) {
  if (!EndsMemory(event.kind)) return;
  written_.Forget(event.address, event.value);
  const uint64_t end = event.address + event.value;
  if (end >= event.address) {
    blocks_.erase(blocks_.lower_bound(event.address), blocks_.lower_bound(end));
  }
  if (event.kind != EventKind::kAlloc && event.kind != EventKind::kRealloc) {
    return;
  }
  if (end <= event.address) return;
  blocks_[event.address] = {event.value, {event.tid}};
  heap_first_ = std::min(heap_first_, event.address);
  heap_end_ = std::max(heap_end_, end);
}

}  // namespace fairlead::order
