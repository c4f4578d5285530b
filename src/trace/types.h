// trace/types.h
//
// What the compiler knows about the program's structs and functions
// (abi/site.h), as values. Types are named by an id that is the same in every
// translation unit and module; a reference to a type that is not there is no
// error, so whoever follows one looks it up.

#ifndef FAIRLEAD_TRACE_TYPES_H_
#define FAIRLEAD_TRACE_TYPES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "abi/site.h"
#include "trace/place.h"

namespace fairlead::trace {

struct FieldName {
  std::string name = {};  // "" for an unnamed member
  uint32_t offset = 0;    // bytes from the start of the type
  uint32_t size = 0;      // bytes; of the storage for a bit-field
  uint64_t type = 0;      // of a member of struct type; 0 = another
  uint32_t flags = 0;     // abi::FieldFlag
  bool operator==(const FieldName&) const = default;
};

struct BaseName {
  uint64_t type = 0;
  uint32_t offset = 0;  // bytes; of the vtable entry for a virtual base
  uint32_t flags = 0;   // abi::BaseFlag
  bool operator==(const BaseName&) const = default;
};

struct TypeName {
  uint64_t id = 0;
  std::string name = {};  // "" for an unnamed type, such as a lambda's
  Place place = {};
  uint32_t size = 0;   // bytes
  uint32_t flags = 0;  // abi::TypeFlag
  std::vector<FieldName> fields = {};
  std::vector<BaseName> bases = {};
  bool operator==(const TypeName&) const = default;

  // The member that the byte at `offset` belongs to, not looking into members
  // and bases; null if there is none.
  const FieldName* FieldAt(uint64_t offset) const;
};

// A parameter that is a pointer.
struct ParamName {
  uint16_t index = 0;    // position; `this` is 0 where present
  uint64_t pointee = 0;  // struct that it points to; 0 = another
  bool operator==(const ParamName&) const = default;
};

struct FunctionName {
  uint64_t id = 0;
  std::string name = {};
  std::string linkage_name = {};
  Place place = {};
  uint64_t type = 0;   // class of a member function; 0 = none
  uint32_t flags = 0;  // abi::FunctionFlag
  std::vector<ParamName> params = {};
  bool operator==(const FunctionName&) const = default;

  bool has(abi::FunctionFlag flag) const { return (flags & flag) != 0; }
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_TYPES_H_
