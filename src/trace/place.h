// trace/place.h
//
// A place in the source.

#ifndef FAIRLEAD_TRACE_PLACE_H_
#define FAIRLEAD_TRACE_PLACE_H_

#include <compare>
#include <cstdint>
#include <string>

namespace fairlead::trace {

// `file` is empty when it is not known.
struct Place {
  std::string file = {};
  uint32_t line = 0;
  uint32_t column = 0;  // 0 = not known
  auto operator<=>(const Place&) const = default;
};

// "file:line:column", "file:line" without a column, "" when not known.
std::string PlaceText(const Place& place);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_PLACE_H_
