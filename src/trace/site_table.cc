#include "trace/site_table.h"

#include <cstddef>
#include <unordered_set>

#include "abi/module.h"
#include "abi/site.h"
#include "abi/version.h"
#include "trace/table_reader.h"

namespace fairlead::trace {

namespace {

// Without what a site's name says otherwise, and the rule for its length.
constexpr uint32_t kNamedFlags =
    ((1u << abi::kSiteLengthShift) - 1) & ~uint32_t{abi::kSiteLibrary};

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

std::string TableReader::Function(uint64_t field) const {
  const uint64_t function = Follow(field);
  return function == 0 ? ""
                       : Text(function + offsetof(abi::FunctionRecord, name));
}

Result<uint64_t> TableReader::Unit(uint64_t address, SiteTable& table) {
  const auto unit = image_.At<abi::UnitRecord>(address);
  if (!unit || unit->size < sizeof(abi::UnitRecord)) return Damaged();
  const auto at = [&](size_t field) { return Follow(address + field); };
  if (Status done = Sites(at(offsetof(abi::UnitRecord, sites)), unit->num_sites,
                          table.sites);
      !done) {
    return done.error();
  }
  if (Status done = Functions(at(offsetof(abi::UnitRecord, functions)),
                              unit->num_functions, table.functions);
      !done) {
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

Status TableReader::Sites(uint64_t at, uint64_t count,
                          std::vector<SiteName>& sites) const {
  if (!Has<abi::SiteRecord>(at, count)) return Damaged();
  for (; count != 0; --count, at += sizeof(abi::SiteRecord)) {
    const auto record = *image_.At<abi::SiteRecord>(at);
    sites.push_back(
        {.kind = record.kind,
         .function = Function(at + offsetof(abi::SiteRecord, function)),
         .place = {.file = File(at + offsetof(abi::SiteRecord, file)),
                   .line = record.line,
                   .column = record.column},
         .id = record.id,
         .anchor = record.anchor,
         .library = (record.flags & abi::kSiteLibrary) != 0,
         .flags = record.flags & kNamedFlags,
         .size = record.size,
         .type = Type(at + offsetof(abi::SiteRecord, type)),
         .field_offset = record.field_offset,
         .block = record.block,
         .loop = record.loop});
  }
  return {};
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

namespace {

// Whether this build can read tables of format `version`.
Status CheckVersion(uint32_t version) {
  if (version > abi::kAbiVersion) {
    return Error(ErrorCode::kTooNew)
        .Say(
            "instrumented by a later version (tables of format {}, this "
            "build reads up to {})",
            version, abi::kAbiVersion)
        .Hint("use the fairlead that came with that fairlead-cc");
  }
  if (version < abi::kAbiVersion) {
    return Error(ErrorCode::kMalformed)
        .Say(
            "instrumented by an earlier version (tables of format {}, this "
            "build reads format {})",
            version, abi::kAbiVersion)
        .Hint("build the program again with fairlead-cc");
  }
  return {};
}

}  // namespace

Result<SiteTable> ReadSiteTable(const ElfImage& image) {
  SiteTable table;
  TableReader reader(image);
  for (const ElfNote& note : image.Notes()) {
    if (note.name != abi::kNoteName || note.type != abi::kNoteModule) continue;
    const auto version = image.At<uint32_t>(note.address);
    if (!version) return TableReader::Damaged();
    if (Status readable = CheckVersion(*version); !readable) {
      return readable.error();
    }
    const auto at = [&](size_t field) {
      return reader.Follow(note.address + field);
    };
    const uint64_t end = at(offsetof(abi::ModuleRecord, units_end));
    for (uint64_t unit = at(offsetof(abi::ModuleRecord, units_begin));
         unit < end;) {
      auto bytes = reader.Unit(unit, table);
      if (!bytes) return bytes.error();
      unit += (*bytes + abi::kUnitAlignment - 1) / abi::kUnitAlignment *
              abi::kUnitAlignment;
    }
    table.instrumented = true;
    std::unordered_set<uint64_t> ids;
    for (const SiteName& site : table.sites) ids.insert(site.id);
    table.num_distinct = ids.size();
    return table;
  }
  return table;
}

}  // namespace fairlead::trace
