#include "cli/formats.h"

#include "base/check.h"

namespace fairlead::cli {

const report::Format& FormatOf(const std::string& name) {
  const report::Format* format = report::FindFormat(name);
  FL_CHECK(format != nullptr);
  return *format;
}

}  // namespace fairlead::cli
