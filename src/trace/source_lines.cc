#include "trace/source_lines.h"

#include <elfutils/libdwfl.h>

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

// Looks through the units one by one: clang writes no table of address ranges,
// without which libdw's own search finds nothing.
Place PlaceAt(Dwfl_Module* module, uint64_t address) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    if (dwarf_haspc(unit, address - bias) != 1) continue;
    Dwarf_Line* line = dwarf_getsrc_die(unit, address - bias);
    int number = 0;
    int column = 0;
    if (line == nullptr || dwarf_lineno(line, &number) != 0) continue;
    dwarf_linecol(line, &column);
    const char* file = dwarf_linesrc(line, nullptr, nullptr);
    if (file == nullptr || number <= 0) continue;
    return {.file = file,
            .line = static_cast<uint32_t>(number),
            .column = static_cast<uint32_t>(column)};
  }
  return {};
}

}  // namespace

struct SourceLines::Handle {
  Dwfl* dwfl = nullptr;
  Dwfl_Module* module = nullptr;
  uint64_t bias = 0;  // what libdw adds to addresses of the file

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

SourceLine SourceLines::Caller(uint64_t offset) const {
  SourceLine source;
  if (handle_->module == nullptr || offset == 0) return source;
  // The return address may already belong to the next line; the byte before it
  // is the call's.
  const uint64_t address = offset - 1 + handle_->bias;
  const char* name = dwfl_module_addrname(handle_->module, address);
  if (name != nullptr) source.function = WithoutClone(name);
  source.place = PlaceAt(handle_->module, address);
  return source;
}

}  // namespace fairlead::trace
