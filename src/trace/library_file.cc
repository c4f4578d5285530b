#include "trace/library_file.h"

namespace fairlead::trace {

bool IsLibraryFile(std::string_view path) {
  for (const std::string_view begin :
       {"/usr/include/", "/usr/lib/", "/usr/local/include/",
        // As the C library was built.
        "nptl/", "./nptl/", "../nptl/", "../sysdeps/", "./csu/", "../csu/"}) {
    if (path.starts_with(begin)) return true;
  }
  return path.find("/include/c++/") != std::string_view::npos ||
         path.find("fairlead/detail/") != std::string_view::npos ||
         path.ends_with("fairlead/explore.hpp") ||
         path.ends_with("fairlead/fairlead.hpp");
}

std::string WithoutClone(std::string_view name) {
  for (const std::string_view mark : {" (.", " [clone ."}) {
    name = name.substr(0, name.find(mark));
  }
  // No name in C or C++ has a dot; one that begins with it is the compiler's.
  const bool demangled = name.find_first_of("(< ") != std::string_view::npos;
  return std::string(demangled ? name : name.substr(0, name.find('.', 1)));
}

}  // namespace fairlead::trace
