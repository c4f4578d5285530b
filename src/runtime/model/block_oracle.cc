#include "runtime/model/block_oracle.h"

#include <string.h>

#include "runtime/alloc/heap.h"
#include "runtime/model/misuse.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

using abi::SiteKind;
using abi::SiteRecord;

// No address that a pointer can have, a large number, and negative: so that who
// uses it goes wrong. Different from byte to byte, so that few values of the
// program are like it.
constexpr unsigned char FillingAt(uint64_t address) {
  return static_cast<unsigned char>(0xa0 | ((address * 11 + 5) & 0x1f));
}

bool IsFilling(const char* begin, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) {
    const auto at = reinterpret_cast<uint64_t>(begin + i);
    if (static_cast<unsigned char>(begin[i]) != FillingAt(at)) return false;
  }
  return true;
}

bool Matters(const SiteRecord& site) {
  constexpr uint32_t kMatters = abi::kSiteFeedsAddress | abi::kSiteFeedsIndex |
                                abi::kSiteFeedsBranch | abi::kSiteFeedsCall;
  return (site.flags & kMatters) != 0;
}

bool IsScalar(SiteKind kind) {
  switch (kind) {
    case SiteKind::kLoad:
    case SiteKind::kStore:
    case SiteKind::kAtomicLoad:
    case SiteKind::kAtomicStore:
    case SiteKind::kRmw:
    case SiteKind::kCas:
      return true;
    default:
      return false;
  }
}

// Bytes of the access that count.
uint64_t Reach(const SiteRecord& site, uint64_t bytes) {
  if (IsScalar(site.kind) || site.kind == SiteKind::kRangeWrite) return bytes;
  return bytes == 0 ? 0 : 1;
}

void CheckBounds(Thread& thread, const SiteRecord& site, const Found& found,
                 const char* at, uint64_t bytes) {
  const uint64_t reach = Reach(site, bytes);
  const auto offset = static_cast<uint64_t>(at - found.begin);
  const uint64_t size = found.slot->bytes;
  if (reach == 0 || (offset < size && reach <= size - offset)) return;
  // What is named is the first byte that is not the block's.
  ReportMisuse(thread, abi::Misuse::kOutOfBounds,
               offset < size ? found.begin + size : at);
}

// Whether the array that the site indexes has no such bytes: the block is an
// object of the type that the site accesses a field of. Members of a union may
// begin at one offset, and any of them will do.
bool IsBeyondField(const SiteRecord& site, uint64_t offset, uint64_t bytes) {
  const abi::TypeRecord& type = *site.type.get();
  bool indexes = false;
  for (uint32_t i = 0; i < type.num_fields; ++i) {
    const abi::FieldRecord& field = type.fields.get()[i];
    if (site.field_offset - field.offset >= field.size) continue;
    if ((field.flags & abi::kFieldArray) == 0) return false;
    indexes = true;
    const uint64_t inside = offset - field.offset;
    if (inside < field.size && bytes <= field.size - inside) return false;
  }
  return indexes;
}

void CheckField(Thread& thread, const SiteRecord& site, const Found& found,
                const char* at, uint64_t bytes) {
  if ((site.flags & abi::kSiteIndexed) == 0 || site.type.get() == nullptr ||
      site.type.get()->size != found.slot->bytes) {
    return;
  }
  const uint64_t reach = Reach(site, bytes);
  const auto offset = static_cast<uint64_t>(at - found.begin);
  if (reach == 0 || !IsBeyondField(site, offset, reach)) return;
  ReportMisuse(thread, abi::Misuse::kOutOfBounds, at);
}

}  // namespace

void CheckBlock(Thread& thread, const SiteRecord& site, const void* address,
                uint64_t bytes) {
  const Found found = FindBlock(address);
  const auto* at = static_cast<const char*>(address);
  if (found.slot == nullptr) {  // never given out
    if (Reach(site, bytes) != 0) {
      ReportMisuse(thread, abi::Misuse::kOutOfBounds, address);
    }
    return;
  }
  if (found.slot->state != SlotState::kLive) {
    ReportMisuse(thread, abi::Misuse::kUseAfterFree, address);
    return;
  }
  CheckBounds(thread, site, found, at, bytes);
  CheckField(thread, site, found, at, bytes);
  if (PlanAsks(abi::kPlanFill) && site.kind == SiteKind::kLoad && bytes >= 4 &&
      bytes <= 8 && Matters(site) && IsFilling(at, bytes)) {
    ReportMisuse(thread, abi::Misuse::kUninitialised, address);
  }
}

void FillBlock(char* begin, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    begin[i] =
        static_cast<char>(FillingAt(reinterpret_cast<uint64_t>(begin + i)));
  }
}

}  // namespace fairlead::rt
