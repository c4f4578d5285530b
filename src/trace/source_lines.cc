#include "trace/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "base/elf_image.h"
#include "trace/library_file.h"

namespace fairlead::trace {
namespace {

constexpr Dwfl_Callbacks kOffline = {
    .find_elf = nullptr,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

// A unit and the address that is looked for in it, as the unit names it.
struct Unit {
  Dwarf_Die* die = nullptr;  // null = none
  uint64_t address = 0;
};

// Where a unit has code.
struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
  Dwarf_Die* unit = nullptr;  // the module's
  uint64_t bias = 0;
};

// Of all units, sorted: clang writes no table of address ranges, without which
// libdw's own search finds nothing.
std::vector<Range> RangesOf(Dwfl_Module* module) {
  std::vector<Range> ranges;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (ptrdiff_t at = 0;
         (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0;) {
      ranges.push_back({begin + bias, end + bias, unit, bias});
    }
  }
  std::ranges::sort(ranges, {}, &Range::begin);
  return ranges;
}

Unit UnitAt(const std::vector<Range>& ranges, uint64_t address) {
  const auto after =
      std::ranges::upper_bound(ranges, address, {}, &Range::begin);
  if (after == ranges.begin()) return {};
  const Range& range = *std::prev(after);
  if (address >= range.end) return {};
  return {range.unit, address - range.bias};
}

Place PlaceAt(const Unit& unit) {
  Dwarf_Line* line = dwarf_getsrc_die(unit.die, unit.address);
  int number = 0;
  int column = 0;
  if (line == nullptr || dwarf_lineno(line, &number) != 0) return {};
  dwarf_linecol(line, &column);
  const char* file = dwarf_linesrc(line, nullptr, nullptr);
  if (file == nullptr || number <= 0) return {};
  return {.file = file,
          .line = static_cast<uint32_t>(number),
          .column = static_cast<uint32_t>(column)};
}

uint32_t NumberAt(Dwarf_Die* die, unsigned int name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0) return 0;
  return static_cast<uint32_t>(value);
}

// Where an inlined function is called.
Place CallOf(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Files* files = nullptr;
  size_t num_files = 0;
  const uint32_t number = NumberAt(inlined, DW_AT_call_file);
  if (dwarf_getsrcfiles(unit, &files, &num_files) != 0 || number >= num_files) {
    return {};
  }
  const char* file = dwarf_filesrc(files, number, nullptr, nullptr);
  if (file == nullptr) return {};
  return {.file = file,
          .line = NumberAt(inlined, DW_AT_call_line),
          .column = NumberAt(inlined, DW_AT_call_column)};
}

std::string LinkageName(Dwarf_Die* function) {
  Dwarf_Attribute attribute;
  const char* name = dwarf_formstring(
      dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
  if (name == nullptr) name = dwarf_diename(function);
  return name == nullptr ? "" : name;
}

// Bodies of libraries have symbols of the pass's own making (`__fl_body.4f`).
bool SaysNothing(std::string_view symbol) {
  return symbol.starts_with("__fl_");
}

// The functions around an address, the innermost first, with their places.
std::vector<SourceLine> FunctionsAt(const Unit& unit) {
  std::vector<SourceLine> functions;
  Dwarf_Die* around = nullptr;
  const int found = dwarf_getscopes(unit.die, unit.address, &around);
  if (found <= 0) return functions;
  Dwarf_Die innermost = around[0];
  free(around);
  Dwarf_Die* scopes = nullptr;
  const int num_scopes = dwarf_getscopes_die(&innermost, &scopes);
  Place place = PlaceAt(unit);
  for (int i = 0; i < num_scopes; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    const bool inlined = tag == DW_TAG_inlined_subroutine;
    functions.push_back({.function = WithoutClone(LinkageName(&scopes[i])),
                         .place = std::move(place)});
    if (!inlined) break;
    place = CallOf(unit.die, &scopes[i]);
  }
  if (num_scopes > 0) free(scopes);
  return functions;
}

}  // namespace

struct SourceLines::Handle {
  Dwfl* dwfl = nullptr;
  Dwfl_Module* module = nullptr;
  uint64_t bias = 0;  // what libdw adds to addresses of the file
  std::optional<std::vector<Range>> ranges;  // none = not asked for yet

  ~Handle() {
    if (dwfl != nullptr) dwfl_end(dwfl);
  }
};

SourceLines::SourceLines(const std::string& path)
    : handle_(std::make_unique<Handle>()) {
  handle_->dwfl = dwfl_begin(&kOffline);
  if (handle_->dwfl == nullptr || !IsRegularFile(path)) return;
  handle_->module =
      dwfl_report_offline(handle_->dwfl, path.c_str(), path.c_str(), -1);
  dwfl_report_end(handle_->dwfl, nullptr, nullptr);
  if (handle_->module == nullptr) return;
  GElf_Addr bias = 0;
  if (dwfl_module_getelf(handle_->module, &bias) != nullptr) {
    handle_->bias = bias;
  }
}

SourceLines::~SourceLines() = default;
SourceLines::SourceLines(SourceLines&&) noexcept = default;

std::vector<SourceLine> SourceLines::Caller(uint64_t offset) const {
  if (handle_->module == nullptr || offset == 0) return {};
  // The return address may already belong to the next line; the byte before it
  // is the call's.
  const uint64_t address = offset - 1 + handle_->bias;
  if (!handle_->ranges) handle_->ranges = RangesOf(handle_->module);
  const Unit unit = UnitAt(*handle_->ranges, address);
  std::vector<SourceLine> functions;
  if (unit.die != nullptr) functions = FunctionsAt(unit);
  if (functions.empty()) {
    functions.emplace_back();
    if (unit.die != nullptr) functions[0].place = PlaceAt(unit);
  }
  const char* name = dwfl_module_addrname(handle_->module, address);
  // The outermost, whose code it is: its symbol says more.
  if (name != nullptr && !SaysNothing(name)) {
    functions.back().function = WithoutClone(name);
  }
  return functions;
}

}  // namespace fairlead::trace
