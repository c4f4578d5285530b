// abi/packed_sites.h
//
// How a unit's object file holds its site records (abi/site.h): as differences
// to the site before, a quarter of their size. A runtime unpacks them into the
// unit's array of records, which is zero and takes no room in a file, before it
// sets the first mode; readers of files take them one by one.
//
//   site:  mask     varint; bit i: field i differs from that of the site before
//          changes  varint for each bit set, lowest first: new - old, zigzag
//          id       8 bytes, as SiteRecord::id
//          anchor   8 bytes
//
// Ahead of a unit's first site all fields are 0. Varints have seven bits in a
// byte, the low ones first; the eighth says that another byte follows.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_PACKED_SITES_H_
#define FAIRLEAD_ABI_PACKED_SITES_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/access_event.h"
#include "abi/site.h"

namespace fairlead::abi {

// What changes often comes first: a mask below 128 takes one byte.
enum PackedField : uint32_t {
  kPackedColumn,
  kPackedLine,
  kPackedKind,
  kPackedSize,
  kPackedFlags,
  kPackedBehind,
  kPackedBlock,
  kPackedFieldOffset,
  kPackedType,  // 1 + index among the unit's types; 0 = none
  kPackedFile,  // 1 + index among the unit's files; 0 = none
  kPackedLoop,
  kPackedOrdinal,
  kPackedOrders,
  kNumPackedFields
};

struct PackedSite {
  uint32_t fields[kNumPackedFields];
  uint64_t id;
  uint64_t anchor;
};

// A mask of 13 bits takes two bytes, a change of 32 bits five.
inline constexpr size_t kMostPackedBytes = 2 + kNumPackedFields * 5 + 16;
// The fewest: nothing has changed but the names.
inline constexpr size_t kFewestPackedBytes = 1 + 16;

constexpr uint32_t Zigzag(uint32_t change) {
  return change << 1 ^ (change >> 31 != 0 ? ~0u : 0u);
}
constexpr uint32_t Unzigzag(uint32_t word) {
  return word >> 1 ^ ((word & 1) != 0 ? ~0u : 0u);
}

inline uint8_t* PutVarint(uint32_t value, uint8_t* out) {
  for (; value >= 0x80; value >>= 7) {
    *out++ = static_cast<uint8_t>(value | 0x80);
  }
  *out++ = static_cast<uint8_t>(value);
  return out;
}

// Writes `site`, which follows `before`, to `out`, which has room for
// kMostPackedBytes. Gives how many it took.
inline size_t PackSite(const PackedSite& before, const PackedSite& site,
                       uint8_t* out) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < kNumPackedFields; ++i) {
    if (site.fields[i] != before.fields[i]) mask |= 1u << i;
  }
  uint8_t* at = PutVarint(mask, out);
  for (uint32_t i = 0; i < kNumPackedFields; ++i) {
    if ((mask >> i & 1) == 0) continue;
    at = PutVarint(Zigzag(site.fields[i] - before.fields[i]), at);
  }
  __builtin_memcpy(at, &site.id, 8);
  __builtin_memcpy(at + 8, &site.anchor, 8);
  return static_cast<size_t>(at + 16 - out);
}

// Reads the sites of one unit, which may be damaged, one after the other.
class SiteUnpacker {
 public:
  SiteUnpacker(const uint8_t* begin, const uint8_t* end)
      : at_(begin), end_(end) {}

  // Makes `site` the next one; it holds the one before it, or zeros. False, and
  // for ever, when the bytes end too soon or are none of ours.
  bool Next(PackedSite& site) {
    uint32_t mask;
    if (!Varint(mask) || mask >> kNumPackedFields != 0) return Fail();
    for (uint32_t i = 0; mask != 0; ++i, mask >>= 1) {
      if ((mask & 1) == 0) continue;
      uint32_t change;
      if (!Varint(change)) return Fail();
      site.fields[i] += Unzigzag(change);
    }
    if (end_ - at_ < 16) return Fail();
    __builtin_memcpy(&site.id, at_, 8);
    __builtin_memcpy(&site.anchor, at_ + 8, 8);
    at_ += 16;
    return true;
  }

 private:
  bool Varint(uint32_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 35 && at_ < end_; shift += 7) {
      const uint8_t byte = *at_++;
      value |= static_cast<uint32_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return true;
    }
    return false;
  }
  bool Fail() {
    at_ = end_;
    return false;
  }

  const uint8_t* at_;
  const uint8_t* end_;
};

template <typename T>
void PointTo(Relative<T>& field, const void* target) {
  field.distance =
      target == nullptr
          ? 0
          : static_cast<int32_t>(static_cast<const char*>(target) -
                                 reinterpret_cast<const char*>(&field));
}

// Fills in all of `record` but what is a runtime's own: mode and number.
inline void FillRecord(const PackedSite& site, const UnitRecord& unit,
                       FunctionRecord* function, SiteRecord& record) {
  const uint32_t* fields = site.fields;
  record.id = site.id;
  record.anchor = site.anchor;
  PointTo(record.function, function);
  const uint32_t file = fields[kPackedFile];
  PointTo(record.file, file == 0 ? nullptr : unit.files.get() + (file - 1));
  const uint32_t type = fields[kPackedType];
  PointTo(record.type, type == 0 ? nullptr : unit.types.get() + (type - 1));
  record.line = fields[kPackedLine];
  record.size = fields[kPackedSize];
  record.field_offset = fields[kPackedFieldOffset];
  record.flags = fields[kPackedFlags];
  record.column = static_cast<uint16_t>(fields[kPackedColumn]);
  record.block = static_cast<uint16_t>(fields[kPackedBlock]);
  record.loop = static_cast<uint16_t>(fields[kPackedLoop]);
  record.ordinal = static_cast<uint16_t>(fields[kPackedOrdinal]);
  record.kind = static_cast<SiteKind>(fields[kPackedKind]);
  record.orders = static_cast<uint8_t>(fields[kPackedOrders]);
  record.behind = static_cast<uint8_t>(fields[kPackedBehind]);
  record.told = ToldBy(record.kind, record.order(), record.flags, record.size);
}

// Writes the records of all sites of `unit`, and lets its functions point to
// them. Before, neither is there. Assumes: a unit of this version, as the pass
// wrote it; the sites behind a damage stay zero.
inline void UnpackSites(UnitRecord& unit) {
  const uint8_t* bytes = unit.packed.get();
  SiteUnpacker sites(bytes, bytes + unit.num_packed_bytes);
  SiteRecord* record = unit.sites.get();
  const SiteRecord* const end = record + unit.num_sites;
  PackedSite site = {};
  FunctionRecord* functions = unit.functions.get();
  for (uint32_t i = 0; i < unit.num_functions; ++i) {
    FunctionRecord& function = functions[i];
    if (function.num_sites > static_cast<size_t>(end - record)) return;
    PointTo(function.sites, function.num_sites == 0 ? nullptr : record);
    for (uint32_t j = 0; j < function.num_sites; ++j, ++record) {
      if (!sites.Next(site)) continue;
      FillRecord(site, unit, &function, *record);
    }
  }
}

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_PACKED_SITES_H_
