#include "report/format.h"

namespace fairlead::report {
namespace {

constexpr const Format* kFormats[] = {
#define FL_REPORT_FORMAT(name) &name,
#include "report/formats.inc"
#undef FL_REPORT_FORMAT
};

}  // namespace

std::span<const Format* const> Formats() { return kFormats; }

const Format* FindFormat(std::string_view name) {
  for (const Format* format : kFormats) {
    if (format->name == name) return format;
  }
  return nullptr;
}

}  // namespace fairlead::report
