// lin/component.h
//
// A part of a program's state by name, as its annotations give it: elements,
// and whether their order and number count. What a set, a queue or a log *is*,
// not how it lies in memory. All elements are kept, so that what is missing can
// be named, and one state can be held to be contained in another.
//
// Differs from the paper (PIKE, EuroSys 2011, section 4.3): no cumulative
// hashes; its authors listed elements as well.

#ifndef FAIRLEAD_LIN_COMPONENT_H_
#define FAIRLEAD_LIN_COMPONENT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::lin {

struct Component {
  // As fairlead_component said; none = it did not: a multiset or, once it is
  // appended to, a sequence.
  std::optional<uint64_t> kind = {};
  std::vector<std::string> sequence = {};
  std::map<std::string, uint64_t> elements = {};   // how often, never 0
  std::map<std::string, std::string> values = {};  // of a map, by key
  std::optional<std::string> value = {};           // of a register

  bool operator==(const Component&) const = default;
  bool empty() const {
    return sequence.empty() && elements.empty() && values.empty() && !value;
  }
};

// By name.
using Components = std::map<std::string, Component>;

// How `found` differs from `wanted`, element by element; bytes as they are. Of
// sequences with the same elements in another order, both are empty and
// `reordered` is set.
struct ComponentDifference {
  std::vector<std::string> missing = {};  // wanted, and not there
  std::vector<std::string> extra = {};
  bool reordered = false;
  bool any() const { return reordered || !missing.empty() || !extra.empty(); }
};
ComponentDifference DifferenceOf(const Component& wanted,
                                 const Component& found);

// Whether all that `part` has is in `whole`: of sequences, in that order; of
// registers, the same value, or none in `part`.
bool IsWithin(const Component& part, const Component& whole);

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_COMPONENT_H_
