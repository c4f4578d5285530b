// lin/values.h
//
// Values of a history, each known by a number; nil, false and true are first.
// Nil is also what an object holds that was never set.

#ifndef FAIRLEAD_LIN_VALUES_H_
#define FAIRLEAD_LIN_VALUES_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "lin/operation.h"

namespace fairlead::lin {

class ValueTable {
 public:
  ValueTable() {
    for (const Json& first : {Json(), Json(false), Json(true)}) Add(first);
  }

  // Adds it unless it is known.
  ValueId Add(const Json& value);

  const Json& At(ValueId id) const { return values_[static_cast<size_t>(id)]; }
  // As a whole number, if it is one.
  std::optional<int64_t> NumberOf(ValueId id) const;
  // For people: nil, 12, "x", [1 2]; "?" for kUnknown.
  std::string TextOf(ValueId id) const;
  // A string's characters; none of what is no string.
  std::string StringOf(ValueId id) const;

 private:
  std::map<std::string, ValueId, std::less<>> numbers_;  // by their text
  std::vector<Json> values_;
};

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_VALUES_H_
