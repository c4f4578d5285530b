#include "runtime/model/claims.h"

#include <string.h>

#include "abi/control.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// By hash of the message: index of the record + 1, 0 = free. Twice as many as
// there are records.
constexpr size_t kSlots = 1u << 11;
uint16_t slots[kSlots];

size_t HashOf(EventKind kind, const char* message, size_t bytes) {
  auto hash = static_cast<uint64_t>(kind);
  for (size_t i = 0; i < bytes; ++i) {
    hash = (hash ^ static_cast<unsigned char>(message[i])) * 0x100000001b3;
  }
  return static_cast<size_t>(hash >> 32 ^ hash);
}

bool IsSame(const abi::ClaimRecord& record, EventKind kind, const char* message,
            size_t bytes) {
  return record.kind == kind && strncmp(record.message, message, bytes) == 0 &&
         record.message[bytes] == '\0';
}

// The record of this claim, made if it is new; null when there is no room.
abi::ClaimRecord* RecordOf(const Thread& thread, EventKind kind,
                           const char* message) {
  abi::ControlPage& page = *control_page();
  abi::Region& region = page.region(abi::RegionId::kClaims);
  auto* records = page.entries<abi::ClaimRecord>(abi::RegionId::kClaims);
  const size_t bytes = strnlen(message, abi::kClaimBytes - 1);
  size_t at = HashOf(kind, message, bytes) % kSlots;
  for (; slots[at] != 0; at = (at + 1) % kSlots) {
    abi::ClaimRecord& record = records[slots[at] - 1];
    if (IsSame(record, kind, message, bytes)) return &record;
  }
  if (region.used == region.capacity || region.used == kSlots / 2) {
    return nullptr;
  }
  abi::ClaimRecord& record = records[region.used];
  record = {};
  record.kind = kind;
  record.site = thread.place.site;
  record.site_flags = thread.place.flags;
  memcpy(record.message, message, bytes);
  slots[at] = static_cast<uint16_t>(region.used + 1);
  // Pairs with the tool's acquire load: the record is whole.
  __atomic_store_n(&region.used, region.used + 1, __ATOMIC_RELEASE);
  return &record;
}

}  // namespace

void NoteClaim(const Thread& thread, EventKind kind, const char* message,
               Claimed now) {
  abi::ClaimRecord* record =
      RecordOf(thread, kind, message == nullptr ? "?" : message);
  if (record != nullptr && now == Claimed::kHolds) record->held = 1;
}

}  // namespace fairlead::rt
