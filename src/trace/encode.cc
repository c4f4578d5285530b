#include "trace/encode.h"

#include <algorithm>
#include <cstring>

namespace fairlead::trace {
namespace {

abi::Event Extension(EventKind kind, uint64_t address, uint64_t value) {
  abi::Event record = {};
  record.kind = kind;
  record.address = address;
  record.value = value;
  return record;
}

void AddPayload(const std::string& payload, std::vector<abi::Event>& records) {
  for (size_t at = 0; at < payload.size(); at += abi::kPayloadBytes) {
    const size_t length = std::min(payload.size() - at, abi::kPayloadBytes);
    char bytes[sizeof(abi::Event)] = {};
    std::memcpy(bytes + offsetof(abi::Event, site), payload.data() + at,
                length);
    abi::Event record;
    std::memcpy(&record, bytes, sizeof(record));
    record.kind = EventKind::kExtPayload;
    record.thread = static_cast<uint16_t>(length);
    records.push_back(record);
  }
}

void AddExtensions(const Event& event, std::vector<abi::Event>& records) {
  if (event.size >= abi::kSizeExtended) {
    records.push_back(Extension(EventKind::kExtSize, 0, event.size));
  }
  if (event.instructions >= abi::kInstructionsExtended) {
    records.push_back(
        Extension(EventKind::kExtInstructions, 0, event.instructions));
  }
  if (event.old_value) {
    records.push_back(Extension(EventKind::kExtOldValue, 0, *event.old_value));
  }
  if (event.partner) {
    records.push_back(Extension(EventKind::kExtPartner, event.partner->object,
                                static_cast<uint64_t>(event.partner->tid)));
  }
  if (event.block) {
    abi::Event record = Extension(EventKind::kExtBlock, event.block->offset,
                                  event.block->number);
    record.site = static_cast<uint32_t>(event.block->block_class);
    record.node = event.block->zeroed ? 1 : 0;
    records.push_back(record);
  }
  if (event.this_object) {
    records.push_back(Extension(EventKind::kExtThis, *event.this_object, 0));
  }
  AddPayload(event.payload, records);
}

}  // namespace

void Encode(const Event& event, std::vector<abi::Event>& records) {
  const size_t first = records.size();
  records.push_back({
      .thread = static_cast<uint16_t>(event.tid),
      .flags = event.flags,
      .kind = event.kind,
      .size = static_cast<uint8_t>(
          std::min<uint64_t>(event.size, abi::kSizeExtended)),
      .instructions = static_cast<uint16_t>(
          std::min<uint64_t>(event.instructions, abi::kInstructionsExtended)),
      .site = event.site,
      .node = event.node,
      .address = event.address,
      .value = event.value,
  });
  AddExtensions(event, records);
  for (size_t i = first; i + 1 < records.size(); ++i) {
    records[i].flags |= abi::kFlagExtended;
  }
}

std::vector<abi::Event> Encode(std::span<const Event> events) {
  std::vector<abi::Event> records;
  records.reserve(events.size());
  for (const Event& event : events) Encode(event, records);
  return records;
}

}  // namespace fairlead::trace
