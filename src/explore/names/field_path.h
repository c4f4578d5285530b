// explore/names/field_path.h
//
// Which member of a struct a byte of it belongs to, as people write it:
// "count", "slots[1].key". Members of library types are not looked into: what
// is inside a std::map is its own affair.

#ifndef FAIRLEAD_EXPLORE_NAMES_FIELD_PATH_H_
#define FAIRLEAD_EXPLORE_NAMES_FIELD_PATH_H_

#include <cstdint>
#include <map>
#include <string>

#include "trace/types.h"

namespace fairlead::explore {

using Types = std::map<uint64_t, trace::TypeName>;

struct FieldPath {
  std::string text = {};  // "" = no member that has a name
  uint64_t offset = 0;    // of that member from the start of the struct
  uint64_t size = 0;      // bytes
  uint64_t type = 0;      // of a member of struct type; 0 = another
  bool lock = false;      // a mutex, a condition variable, …
  bool library = false;   // of a library's type
};

// The member at `offset` of `type`. `access_bytes`: how many bytes of it are
// touched, which is the size of an element in an array of scalars; 0 = unknown.
// Types are untrusted: cycles of them end.
FieldPath FieldPathAt(const trace::TypeName& type, uint64_t offset,
                      uint64_t access_bytes, const Types& types);

// Where a part of type `inner` begins in a member of type `outer` or in one of
// its own members and bases. False: nowhere, or at several places.
bool FindPart(uint64_t outer, uint64_t inner, const Types& types,
              uint64_t& offset);

// "Queue" of "Queue<int>": the name without template arguments.
std::string ShortTypeName(const trace::TypeName& type);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_FIELD_PATH_H_
