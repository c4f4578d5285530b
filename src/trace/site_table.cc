#include "trace/site_table.h"

#include <cstddef>

#include "abi/module.h"
#include "abi/site.h"
#include "abi/version.h"

namespace fairlead::trace {
namespace {

// More records than this are damage: a site takes 64 bytes, so this many would
// fill 4 GB.
constexpr uint64_t kMaxRecords = uint64_t{1} << 26;

// Reads records at addresses of the file. A pointer that leads nowhere reads as
// absent; only the tables themselves must be whole.
class TableReader {
 public:
  explicit TableReader(const ElfImage& image) : image_(image) {}

  // Where the relative pointer at `address` leads; 0 = null or not there.
  uint64_t Follow(uint64_t address) const {
    const auto distance = image_.At<int32_t>(address);
    if (!distance || *distance == 0) return 0;
    return address + static_cast<uint64_t>(int64_t{*distance});
  }

  std::string Text(uint64_t field) const {
    const uint64_t address = Follow(field);
    if (address == 0) return "";
    return std::string(image_.TextAt(address).value_or(""));
  }

  // The path that the FileRecord pointer at `field` leads to.
  std::string File(uint64_t field) const {
    const uint64_t file = Follow(field);
    return file == 0 ? "" : Text(file + offsetof(abi::FileRecord, path));
  }

  std::string Function(uint64_t field) const {
    const uint64_t function = Follow(field);
    return function == 0 ? ""
                         : Text(function + offsetof(abi::FunctionRecord, name));
  }

  Result<std::vector<SiteName>> Sites(uint64_t begin, uint64_t end) const {
    std::vector<SiteName> sites;
    if (Status fits = Check<abi::SiteRecord>(begin, end); !fits) {
      return fits.error();
    }
    for (uint64_t at = begin; at < end; at += sizeof(abi::SiteRecord)) {
      const auto record = *image_.At<abi::SiteRecord>(at);
      sites.push_back(
          {.kind = record.kind,
           .function = Function(at + offsetof(abi::SiteRecord, function)),
           .place = {.file = File(at + offsetof(abi::SiteRecord, file)),
                     .line = record.line,
                     .column = record.column},
           .id = record.id,
           .anchor = record.anchor,
           .library = (record.flags & abi::kSiteLibrary) != 0});
    }
    return sites;
  }

  Result<std::vector<FunctionName>> Functions(uint64_t begin,
                                              uint64_t end) const {
    std::vector<FunctionName> functions;
    if (Status fits = Check<abi::FunctionRecord>(begin, end); !fits) {
      return fits.error();
    }
    for (uint64_t at = begin; at < end; at += sizeof(abi::FunctionRecord)) {
      const auto record = *image_.At<abi::FunctionRecord>(at);
      functions.push_back(
          {.id = record.id,
           .name = Text(at + offsetof(abi::FunctionRecord, name)),
           .linkage_name =
               Text(at + offsetof(abi::FunctionRecord, linkage_name)),
           .place = {.file = File(at + offsetof(abi::FunctionRecord, file)),
                     .line = record.line}});
    }
    return functions;
  }

 private:
  template <typename T>
  Status Check(uint64_t begin, uint64_t end) const {
    const uint64_t bytes = end - begin;
    if (begin > end || bytes % sizeof(T) != 0 ||
        bytes / sizeof(T) > kMaxRecords ||
        (bytes != 0 && image_.BytesAt(begin, bytes).empty())) {
      return Error(ErrorCode::kMalformed)
          .Say("the tables of instrumentation are damaged")
          .Hint("build the program again with fairlead-cc");
    }
    return {};
  }

  const ElfImage& image_;
};

}  // namespace

Result<SiteTable> ReadSiteTable(const ElfImage& image) {
  SiteTable table;
  const TableReader reader(image);
  for (const ElfNote& note : image.Notes()) {
    if (note.name != abi::kNoteName || note.type != abi::kNoteModule) continue;
    const auto version = image.At<uint32_t>(note.address);
    if (version && *version > abi::kAbiVersion) {
      return Error(ErrorCode::kTooNew)
          .Say(
              "instrumented by a later version (tables of format {}, this "
              "build reads up to {})",
              *version, abi::kAbiVersion)
          .Hint("use the fairlead that came with that fairlead-cc");
    }
    const auto at = [&](size_t field) {
      return reader.Follow(note.address + field);
    };
    auto sites = reader.Sites(at(offsetof(abi::ModuleRecord, sites_begin)),
                              at(offsetof(abi::ModuleRecord, sites_end)));
    if (!sites) return sites.error();
    auto functions =
        reader.Functions(at(offsetof(abi::ModuleRecord, functions_begin)),
                         at(offsetof(abi::ModuleRecord, functions_end)));
    if (!functions) return functions.error();
    table.instrumented = true;
    table.sites = *std::move(sites);
    table.functions = *std::move(functions);
    return table;
  }
  return table;
}

}  // namespace fairlead::trace
