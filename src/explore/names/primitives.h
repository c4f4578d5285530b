// explore/names/primitives.h
//
// Which primitive of synchronisation an operation is done to.

#ifndef FAIRLEAD_EXPLORE_NAMES_PRIMITIVES_H_
#define FAIRLEAD_EXPLORE_NAMES_PRIMITIVES_H_

#include <cstdint>
#include <string_view>

#include "abi/event.h"

namespace fairlead::explore {

// With its size (glibc, x86-64).
struct Primitive {
  std::string_view name = {};  // "" = no primitive
  uint64_t bytes = 0;
};

Primitive PrimitiveOf(abi::EventKind kind);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_PRIMITIVES_H_
