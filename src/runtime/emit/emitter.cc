#include "runtime/emit/emitter.h"

#include <string.h>

#include "runtime/emit/digest.h"

namespace fairlead::rt {
namespace {

constinit Emitter the_emitter;

uint64_t AddressOf(const void* p) { return reinterpret_cast<uint64_t>(p); }

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

void Emitter::Base(Thread& thread, EventKind kind, uint16_t flags,
                   const void* address, uint64_t value, uint64_t size,
                   bool extended) {
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
  Base(thread, kind, flags, object, value, 0, true);
  Extend(thread, extension, 0);
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

void Emitter::EmitNamed(Thread& thread, EventKind kind, const void* object,
                        const char* name, size_t bytes) {
  Base(thread, kind, 0, object, bytes, 0, bytes != 0);
  while (bytes != 0) {
    const size_t part = bytes < abi::kPayloadBytes ? bytes : abi::kPayloadBytes;
    uint64_t words[abi::kPayloadBytes / 8] = {};
    memcpy(words, name, part);
    name += part;
    bytes -= part;
    Put(thread,
        {
            .thread = static_cast<uint16_t>(part),
            .flags = static_cast<uint16_t>(bytes != 0 ? abi::kFlagExtended : 0),
            .kind = EventKind::kExtPayload,
            .size = 0,
            .instructions = 0,
            .site = static_cast<uint32_t>(words[0]),
            .node = static_cast<uint32_t>(words[0] >> 32),
            .address = words[1],
            .value = words[2],
        });
  }
}

}  // namespace fairlead::rt
