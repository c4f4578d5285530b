#include "trace/site_table.h"

#include <cstddef>
#include <unordered_set>

#include "abi/module.h"
#include "abi/site.h"
#include "abi/version.h"
#include "trace/table_reader.h"

namespace fairlead::trace {
namespace {

// Whether this build can read tables of format `version`.
Status CheckVersion(uint32_t version) {
  // No version will ever have such a number.
  constexpr uint32_t kPlausible = 10'000;
  if (version > kPlausible) {
    return Error(ErrorCode::kMalformed)
        .Say(
            "its tables are damaged (format {}): sections were moved or "
            "removed",
            version)
        .Hint(
            "build the program again with fairlead-cc, and leave its sections "
            "as they are");
  }
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
