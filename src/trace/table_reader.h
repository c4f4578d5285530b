// trace/table_reader.h
//
// Reads the records that the pass wrote (abi/site.h) at addresses of a binary's
// file. The file is untrusted: a pointer that leads nowhere reads as absent,
// and only the tables that a unit counts must be whole.

#ifndef FAIRLEAD_TRACE_TABLE_READER_H_
#define FAIRLEAD_TRACE_TABLE_READER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "abi/packed_sites.h"
#include "abi/site.h"
#include "base/elf_image.h"
#include "base/result.h"
#include "trace/site_table.h"

namespace fairlead::trace {

class TableReader {
 public:
  explicit TableReader(const ElfImage& image) : image_(image) {}

  // Where the relative pointer at `address` leads; 0 = null or not there.
  uint64_t Follow(uint64_t address) const;

  // Adds what the unit at `address` has; gives its size.
  Result<uint64_t> Unit(uint64_t address, SiteTable& table);

  static Error Damaged();

 private:
  std::string Text(uint64_t field) const;
  std::string File(uint64_t field) const;
  // The id of the type that the pointer at `field` leads to; 0 = none.
  uint64_t Type(uint64_t field) const;

  // What the sites of a unit refer to by number.
  struct UnitNames {
    std::vector<std::string> files;
    uint64_t types = 0;  // address of the first; 0 = none
    uint32_t num_types = 0;
  };
  // Those of the unit at `address`, function by function.
  Status Sites(uint64_t address, const abi::UnitRecord& unit,
               std::span<const FunctionName> functions,
               std::vector<SiteName>& sites) const;
  SiteName NameOf(const abi::PackedSite& site, const std::string& function,
                  const UnitNames& names) const;
  // The id of the unit's type of that number, from 1; 0 = none.
  uint64_t TypeOf(uint32_t number, const UnitNames& names) const;
  // Their paths; those that are there, where fewer are than the unit says.
  std::vector<std::string> Files(uint64_t at, uint32_t count) const;
  Status Functions(uint64_t at, uint64_t count,
                   std::vector<FunctionName>& functions);
  // In type_reader.cc.
  Status Types(uint64_t at, uint64_t count, SiteTable& table);
  std::vector<FieldName> Fields(uint64_t field, uint64_t count);
  std::vector<BaseName> Bases(uint64_t field, uint64_t count);
  std::vector<ParamName> Params(uint64_t field, uint64_t count);

  // More records than this are damage: a site takes 64 bytes of the program's
  // memory, so this many would fill 4 GB.
  static constexpr uint64_t kMaxRecords = uint64_t{1} << 26;

  // Whether so many records are there.
  template <typename T>
  bool Has(uint64_t begin, uint64_t count) const {
    return count <= kMaxRecords &&
           (count == 0 || !image_.BytesAt(begin, count * sizeof(T)).empty());
  }
  // Where the records that `field` points to begin; 0 if they are not all
  // there, or there were too many of the sort already.
  template <typename T>
  uint64_t Members(uint64_t field, uint64_t count) {
    const uint64_t at = Follow(field);
    if (at == 0 || count == 0 || !Has<T>(at, count)) return 0;
    if (count > members_left_) return 0;
    members_left_ -= count;
    return at;
  }

  const ElfImage& image_;
  // Fields, bases and parameters may lie on top of each other in a file that is
  // made up, so that its size does not limit them. Real programs have fewer:
  // clang itself has 200,000 fields.
  uint64_t members_left_ = uint64_t{1} << 24;
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_TABLE_READER_H_
