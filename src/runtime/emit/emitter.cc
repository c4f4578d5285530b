#include "runtime/emit/emitter.h"

#include <string.h>

#include "runtime/emit/digest.h"

namespace fairlead::rt {
namespace {

constinit Emitter the_emitter;

uint64_t AddressOf(const void* p) { return reinterpret_cast<uint64_t>(p); }

// Other groups make order, schedules or outcomes.
constexpr uint32_t kMayBeLeftOut =
    1u << static_cast<uint32_t>(abi::EventGroup::kFrame) |
    1u << static_cast<uint32_t>(abi::EventGroup::kRequest) |
    1u << static_cast<uint32_t>(abi::EventGroup::kMark);

// The group's bit, of a kind from the first of frames on; 0 for others.
constexpr uint32_t BitOf(EventKind kind) {
  if (kind < EventKind::kEnter) return 0;
  const auto group = kind < EventKind::kRequestBegin ? abi::EventGroup::kFrame
                     : kind < EventKind::kMark       ? abi::EventGroup::kRequest
                                                     : abi::EventGroup::kMark;
  return 1u << static_cast<uint32_t>(group);
}

// Whether the thread is, or was since its last event, in code of others.
uint16_t ForeignFlag(abi::ThreadSlot& slot) {
  if (slot.target == 0) [[likely]]
    return 0;
  if (slot.target == abi::kAway) slot.target = 0;
  return abi::kFlagForeign;
}

}  // namespace

Emitter& emitter() { return the_emitter; }

void Emitter::Begin(abi::ControlPage& page) {
  digests_ = true;
  digest_ = kNoRecords;
  Renew(page);
}

void Emitter::Renew(abi::ControlPage& page) {
  const uint64_t flags = page.plan.flags;
  digest_ = digest();
  tracing_ = (flags & abi::kPlanTrace) != 0;
  digests_ = (flags & abi::kPlanNoDigest) == 0;
  left_out_ = page.plan.left_out & kMayBeLeftOut;
  if (!tracing_) return;
  ring_.Begin(page, {.plain = (flags & abi::kPlanFeatures) == 0,
                     .digests = digests_,
                     .digest = digest_});
}

void Emitter::SettlePlace(Thread& thread) {
  if (!tracing_) return;
  const uint32_t site = ring_.LastPlainSite(thread.slot);
  if (const abi::SiteRecord* record = SiteAt(site)) {
    thread.place = PlaceOfSite(record);
  } else if (thread.told_last) {
    thread.place = thread.told;
  }
}

bool Emitter::Base(Thread& thread, EventKind kind, uint16_t flags,
                   const void* address, uint64_t value, uint64_t size,
                   bool extended) {
  if ((left_out_ & BitOf(kind)) != 0) [[unlikely]]
    return false;
  const uint64_t total = thread.slot.instructions + thread.unflushed;
  // Code without frames of its own (idle functions) may not have told all.
  const uint64_t instructions =
      total > thread.slot.told_at ? total - thread.slot.told_at : 0;
  thread.slot.told_at += instructions;
  flags |= thread.place.flags | ForeignFlag(thread.slot);
  thread.told_last = false;
  ++num_events_;
  if (features().on()) [[unlikely]]
    features().Saw(thread, kind, flags, address);
  const bool long_size = size >= abi::kSizeExtended;
  const bool long_count = instructions >= abi::kInstructionsExtended;
  if (extended || long_size || long_count) flags |= abi::kFlagExtended;
  Put(thread,
      {
          .thread = static_cast<uint16_t>(thread.tid),
          .flags = flags,
          .kind = kind,
          .size = static_cast<uint8_t>(long_size ? abi::kSizeExtended : size),
          .instructions = static_cast<uint16_t>(
              long_count ? abi::kInstructionsExtended : instructions),
          .site = thread.place.site,
          .node = thread.slot.node,
          .address = AddressOf(address),
          .value = value,
      });
  if (long_size) {
    Extend(thread, {EventKind::kExtSize, 0, size},
           extended || long_count ? abi::kFlagExtended : 0);
  }
  if (long_count) {
    Extend(thread, {EventKind::kExtInstructions, 0, instructions},
           extended ? abi::kFlagExtended : 0);
  }
  return true;
}

// `flags` says with kFlagExtended whether another extension follows.
void Emitter::Extend(Thread& thread, const Extension& extension,
                     uint16_t flags) {
  Put(thread, {
                  .thread = static_cast<uint16_t>(thread.tid),
                  .flags = flags,
                  .kind = extension.kind,
                  .size = 0,
                  .instructions = 0,
                  .site = extension.site,
                  .node = extension.node,
                  .address = extension.address,
                  .value = extension.value,
              });
}

void Emitter::Emit(Thread& thread, EventKind kind, uint16_t flags,
                   const void* object, uint64_t value,
                   const Extension& extension) {
  if (Base(thread, kind, flags, object, value, 0, true)) {
    Extend(thread, extension, 0);
  }
}

void Emitter::EmitRmw(Thread& thread, EventKind kind, uint16_t flags,
                      const void* address, uint64_t value, uint64_t size,
                      uint64_t old_value) {
  Base(thread, kind, flags, address, value, size, true);
  Extend(thread, {EventKind::kExtOldValue, 0, old_value}, 0);
}

void Emitter::EmitWake(Thread& thread, EventKind kind, const void* object,
                       const Cause& cause) {
  Emit(thread, kind, 0, object, cause.event,
       {EventKind::kExtPartner, AddressOf(object),
        static_cast<uint64_t>(cause.thread->tid)});
}

void Emitter::PutPayload(Thread& thread, const uint64_t* words, size_t bytes,
                         uint16_t flags, uint8_t size) {
  Put(thread, {
                  .thread = static_cast<uint16_t>(bytes),
                  .flags = flags,
                  .kind = EventKind::kExtPayload,
                  .size = size,
                  .instructions = 0,
                  .site = static_cast<uint32_t>(words[0]),
                  .node = static_cast<uint32_t>(words[0] >> 32),
                  .address = words[1],
                  .value = words[2],
              });
}

void Emitter::EmitBytes(Thread& thread, EventKind kind, const void* object,
                        uint64_t value, const Bytes* parts, size_t num_parts,
                        const uint64_t* status) {
  size_t left = 0;  // to be written
  for (size_t i = 0; i < num_parts; ++i) {
    const size_t room = abi::kMaxPayload - left;
    left += parts[i].size < room ? parts[i].size : room;
  }
  const bool extended = left != 0 || status != nullptr;
  if (!Base(thread, kind, 0, object, value, 0, extended)) return;
  if (status != nullptr) {
    Extend(thread, {EventKind::kExtOldValue, 0, *status},
           left != 0 ? abi::kFlagExtended : 0);
  }
  const uint8_t element = kind == EventKind::kEnter ? sizeof(void*) : 0;
  uint64_t words[abi::kPayloadBytes / 8] = {};
  size_t filled = 0;  // bytes of words
  for (size_t i = 0; i < num_parts && left != 0; ++i) {
    auto* from = static_cast<const char*>(parts[i].first);
    size_t size = parts[i].size < left ? parts[i].size : left;
    while (size != 0) {
      const size_t room = abi::kPayloadBytes - filled;
      const size_t part = size < room ? size : room;
      memcpy(reinterpret_cast<char*>(words) + filled, from, part);
      from += part;
      filled += part;
      size -= part;
      left -= part;
      if (filled != abi::kPayloadBytes && left != 0) continue;
      PutPayload(thread, words, filled, left != 0 ? abi::kFlagExtended : 0,
                 element);
      memset(words, 0, sizeof(words));
      filled = 0;
    }
  }
}

}  // namespace fairlead::rt
