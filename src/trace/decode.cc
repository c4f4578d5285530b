#include "trace/decode.h"

#include <cstring>

#include "trace/kinds.h"

namespace fairlead::trace {
namespace {

// Longer chains than this are no event of ours: one extension of each kind, and
// payload of 64 KB.
constexpr size_t kMaxRecords = 8 + abi::kMaxPayload / abi::kPayloadBytes + 1;

bool Extends(const abi::Event& record) {
  const KindEntry* entry = FindKind(record.kind);
  return entry != nullptr && entry->group == EventGroup::kExtension;
}

bool Continues(const abi::Event& record) {
  return (record.flags & abi::kFlagExtended) != 0;
}

// What is wrong with the first record of an event; null if nothing.
const char* Fault(const abi::Event& record) {
  const KindEntry* entry = FindKind(record.kind);
  if (entry == nullptr) return "no such kind of event";
  if (entry->group == EventGroup::kExtension) {
    return "an extension record without an event";
  }
  if (record.thread >= abi::kMaxThreads) return "no such thread";
  return nullptr;
}

const char* AddPayload(const abi::Event& record, Event& event) {
  if (record.thread > abi::kPayloadBytes) return "a payload of too many bytes";
  char bytes[sizeof(abi::Event)];
  std::memcpy(bytes, &record, sizeof(bytes));
  event.payload.append(bytes + offsetof(abi::Event, site), record.thread);
  return nullptr;
}

const char* AddBlock(const abi::Event& record, Event& event) {
  const auto block_class = static_cast<abi::BlockClass>(record.site);
  if (WordOf(block_class) == "?") return "no such class of block";
  if (record.node > 1) return "a block that is neither zeroed nor not";
  event.block =
      Block{record.value, record.address, block_class, record.node == 1};
  return nullptr;
}

// Adds one extension; returns what is wrong with it, null if nothing.
const char* Extend(const abi::Event& record, Event& event) {
  switch (record.kind) {
    case EventKind::kExtOldValue:
      if (event.old_value) return "two old values";
      event.old_value = record.value;
      return nullptr;
    case EventKind::kExtPartner:
      if (event.partner) return "two partners";
      if (record.value >= abi::kMaxThreads &&
          record.value != static_cast<uint64_t>(Tid::kNone)) {
        return "no such partner thread";
      }
      event.partner =
          Partner{Tid{static_cast<uint16_t>(record.value)}, record.address};
      return nullptr;
    case EventKind::kExtBlock:
      if (event.block) return "two blocks";
      return AddBlock(record, event);
    case EventKind::kExtThis:
      if (event.this_object) return "two objects `this`";
      event.this_object = record.address;
      return nullptr;
    case EventKind::kExtSize:
      if (event.size != abi::kSizeExtended) return "two sizes";
      event.size = record.value;
      return nullptr;
    case EventKind::kExtInstructions:
      if (event.instructions != abi::kInstructionsExtended) {
        return "two counts of instructions";
      }
      event.instructions = record.value;
      return nullptr;
    default:
      return AddPayload(record, event);
  }
}

Error Malformed(uint64_t offset, const char* reason) {
  return Error(ErrorCode::kMalformed)
      .Say("at byte {} of the event stream: {}", offset, reason);
}

}  // namespace

void Decoder::FeedUntrusted(std::span<const abi::Event> records) {
  records_.erase(records_.begin(),
                 records_.begin() + static_cast<ptrdiff_t>(taken_));
  dropped_ += taken_;
  taken_ = 0;
  records_.insert(records_.end(), records.begin(), records.end());
}

uint64_t Decoder::OffsetOf(size_t index) const {
  return (dropped_ + index) * sizeof(abi::Event);
}

// Records of the next event, or 0 if its end has not arrived.
size_t Decoder::Complete() const {
  size_t length = 0;
  while (taken_ + length < records_.size() && length < kMaxRecords) {
    if (!Continues(records_[taken_ + length++])) return length;
  }
  return length == kMaxRecords ? length : 0;
}

Result<bool> Decoder::Next(Event& event) {
  const size_t length = Complete();
  if (length == 0) return false;
  if (length == kMaxRecords) {
    return Malformed(OffsetOf(taken_), "an event of too many records");
  }
  const abi::Event& first = records_[taken_];
  if (const char* fault = Fault(first)) {
    return Malformed(OffsetOf(taken_), fault);
  }
  Start(first, event);
  for (size_t i = taken_ + 1; i < taken_ + length; ++i) {
    const char* fault = Extends(records_[i])
                            ? Extend(records_[i], event)
                            : "an event where an extension was announced";
    if (fault != nullptr) return Malformed(OffsetOf(i), fault);
  }
  event.seq = num_events_++;
  taken_ += length;
  return true;
}

Status Decoder::Finish() const {
  if (taken_ == records_.size()) return {};
  return Error(ErrorCode::kTruncated)
      .Say("at byte {} of the event stream: it ends inside an event",
           OffsetOf(records_.size()));
}

Result<std::vector<Event>> DecodeUntrusted(
    std::span<const abi::Event> records) {
  Decoder decoder;
  decoder.FeedUntrusted(records);
  std::vector<Event> events;
  Event event;
  while (true) {
    const Result<bool> got = decoder.Next(event);
    if (!got) return got.error();
    if (!*got) break;
    events.push_back(event);
  }
  if (Status finished = decoder.Finish(); !finished) return finished.error();
  return events;
}

}  // namespace fairlead::trace
