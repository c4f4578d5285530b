#include "trace/table_reader.h"

#include <cstddef>

#include "abi/packed_sites.h"
#include "abi/site.h"

namespace fairlead::trace {
namespace {

// Without what a site's name says otherwise, and the rule for its length.
constexpr uint32_t kNamedFlags =
    (((1u << abi::kSiteLengthShift) - 1) & ~uint32_t{abi::kSiteLibrary}) |
    abi::kSiteVtable;

}  // namespace

uint64_t TableReader::Follow(uint64_t address) const {
  const auto distance = image_.At<int32_t>(address);
  if (!distance || *distance == 0) return 0;
  return address + static_cast<uint64_t>(int64_t{*distance});
}

std::string TableReader::Text(uint64_t field) const {
  const uint64_t address = Follow(field);
  if (address == 0) return "";
  return std::string(image_.TextAt(address).value_or(""));
}

// The path that the FileRecord pointer at `field` leads to.
std::string TableReader::File(uint64_t field) const {
  const uint64_t file = Follow(field);
  return file == 0 ? "" : Text(file + offsetof(abi::FileRecord, path));
}

Result<uint64_t> TableReader::Unit(uint64_t address, SiteTable& table) {
  const auto unit = image_.At<abi::UnitRecord>(address);
  if (!unit || unit->size < sizeof(abi::UnitRecord)) return Damaged();
  const auto at = [&](size_t field) { return Follow(address + field); };
  const size_t before = table.functions.size();
  if (Status done = Functions(at(offsetof(abi::UnitRecord, functions)),
                              unit->num_functions, table.functions);
      !done) {
    return done.error();
  }
  const std::span<const FunctionName> added =
      std::span(table.functions).subspan(before);
  if (Status done = Sites(address, *unit, added, table.sites); !done) {
    return done.error();
  }
  if (Status done =
          Types(at(offsetof(abi::UnitRecord, types)), unit->num_types, table);
      !done) {
    return done.error();
  }
  return uint64_t{unit->size};
}

Error TableReader::Damaged() {
  return Error(ErrorCode::kMalformed)
      .Say("the tables of instrumentation are damaged")
      .Hint("build the program again with fairlead-cc");
}

Status TableReader::Sites(uint64_t address, const abi::UnitRecord& unit,
                          std::span<const FunctionName> functions,
                          std::vector<SiteName>& sites) const {
  const auto at = [&](size_t field) { return Follow(address + field); };
  const auto bytes = image_.BytesAt(at(offsetof(abi::UnitRecord, packed)),
                                    unit.num_packed_bytes);
  if (unit.num_sites > kMaxRecords || bytes.size() != unit.num_packed_bytes ||
      bytes.size() / abi::kFewestPackedBytes < unit.num_sites) {
    return Damaged();
  }
  const UnitNames names = {
      .files = Files(at(offsetof(abi::UnitRecord, files)), unit.num_files),
      .types = at(offsetof(abi::UnitRecord, types)),
      .num_types = unit.num_types};
  const auto* begin = reinterpret_cast<const uint8_t*>(bytes.data());
  abi::SiteUnpacker unpacker(begin, begin + bytes.size());
  abi::PackedSite site = {};
  uint64_t left = unit.num_sites;
  uint64_t record = at(offsetof(abi::UnitRecord, functions));
  for (const FunctionName& function : functions) {
    const uint32_t count = image_.At<abi::FunctionRecord>(record)->num_sites;
    record += sizeof(abi::FunctionRecord);
    if (count > left) return Damaged();
    left -= count;
    for (uint32_t i = 0; i < count; ++i) {
      if (!unpacker.Next(site)) return Damaged();
      sites.push_back(NameOf(site, function.name, names));
    }
  }
  return left == 0 ? Status() : Damaged();
}

SiteName TableReader::NameOf(const abi::PackedSite& site,
                             const std::string& function,
                             const UnitNames& names) const {
  const uint32_t* fields = site.fields;
  const uint32_t file = fields[abi::kPackedFile];
  const bool known = file != 0 && file <= names.files.size();
  const uint32_t flags = fields[abi::kPackedFlags];
  return {.kind = static_cast<abi::SiteKind>(fields[abi::kPackedKind]),
          .function = function,
          .place = {.file = known ? names.files[file - 1] : "",
                    .line = fields[abi::kPackedLine],
                    .column = fields[abi::kPackedColumn]},
          .id = site.id,
          .anchor = site.anchor,
          .library = (flags & abi::kSiteLibrary) != 0,
          .flags = flags & kNamedFlags,
          .size = fields[abi::kPackedSize],
          .type = TypeOf(fields[abi::kPackedType], names),
          .field_offset = fields[abi::kPackedFieldOffset],
          .block = static_cast<uint16_t>(fields[abi::kPackedBlock]),
          .loop = static_cast<uint16_t>(fields[abi::kPackedLoop])};
}

uint64_t TableReader::TypeOf(uint32_t number, const UnitNames& names) const {
  if (number == 0 || number > names.num_types || names.types == 0) return 0;
  const uint64_t type =
      names.types + uint64_t{number - 1} * sizeof(abi::TypeRecord);
  return image_.At<uint64_t>(type + offsetof(abi::TypeRecord, id)).value_or(0);
}

std::vector<std::string> TableReader::Files(uint64_t at, uint32_t count) const {
  std::vector<std::string> paths;
  for (; count != 0 && image_.At<abi::FileRecord>(at);
       --count, at += sizeof(abi::FileRecord)) {
    paths.push_back(Text(at + offsetof(abi::FileRecord, path)));
  }
  return paths;
}

Status TableReader::Functions(uint64_t at, uint64_t count,
                              std::vector<FunctionName>& functions) {
  if (!Has<abi::FunctionRecord>(at, count)) return Damaged();
  for (; count != 0; --count, at += sizeof(abi::FunctionRecord)) {
    const auto record = *image_.At<abi::FunctionRecord>(at);
    functions.push_back(
        {.id = record.id,
         .name = Text(at + offsetof(abi::FunctionRecord, name)),
         .linkage_name = Text(at + offsetof(abi::FunctionRecord, linkage_name)),
         .place = {.file = File(at + offsetof(abi::FunctionRecord, file)),
                   .line = record.line},
         .type = Type(at + offsetof(abi::FunctionRecord, type)),
         .flags = record.flags,
         .params = Params(at + offsetof(abi::FunctionRecord, params),
                          record.num_params)});
  }
  return {};
}

}  // namespace fairlead::trace
