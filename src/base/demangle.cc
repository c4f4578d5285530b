#include "base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>

namespace fairlead {

std::string Demangled(std::string_view symbol) {
  return symbol.starts_with("_Z") ? DemangledType(symbol) : std::string(symbol);
}

std::string DemangledType(std::string_view name) {
  std::string text(name);
  int status = 0;
  char* demangled =
      __cxxabiv1::__cxa_demangle(text.c_str(), nullptr, nullptr, &status);
  if (status == 0) text = demangled;
  std::free(demangled);
  return text;
}

}  // namespace fairlead
