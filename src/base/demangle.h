// base/demangle.h
//
// C++ names as people write them.

#ifndef FAIRLEAD_BASE_DEMANGLE_H_
#define FAIRLEAD_BASE_DEMANGLE_H_

#include <string>
#include <string_view>

namespace fairlead {

// Of a symbol; one that is not mangled stays as it is.
std::string Demangled(std::string_view symbol);

// Of a type as std::type_info::name gives it.
std::string DemangledType(std::string_view name);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_DEMANGLE_H_
