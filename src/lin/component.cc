#include "lin/component.h"

#include <algorithm>

namespace fairlead::lin {
namespace {

using Counts = std::map<std::string, uint64_t>;

// Everything that a component has, with its number: order apart.
Counts CountsOf(const Component& component) {
  Counts counts = component.elements;
  for (const std::string& element : component.sequence) ++counts[element];
  for (const auto& [key, value] : component.values) {
    ++counts[key + " = " + value];
  }
  if (component.value) ++counts[*component.value];
  return counts;
}

// What of `from` is beyond `other`, as often as it is.
std::vector<std::string> Beyond(const Counts& from, const Counts& other) {
  std::vector<std::string> beyond;
  for (const auto& [element, times] : from) {
    const auto found = other.find(element);
    const uint64_t there = found == other.end() ? 0 : found->second;
    for (uint64_t i = there; i < times; ++i) beyond.push_back(element);
  }
  return beyond;
}

bool IsSubsequence(const std::vector<std::string>& part,
                   const std::vector<std::string>& whole) {
  auto at = whole.begin();
  for (const std::string& element : part) {
    at = std::find(at, whole.end(), element);
    if (at == whole.end()) return false;
    ++at;
  }
  return true;
}

}  // namespace

ComponentDifference DifferenceOf(const Component& wanted,
                                 const Component& found) {
  const Counts there = CountsOf(found);
  const Counts should = CountsOf(wanted);
  return {.missing = Beyond(should, there),
          .extra = Beyond(there, should),
          .reordered = should == there && wanted.sequence != found.sequence};
}

bool IsWithin(const Component& part, const Component& whole) {
  for (const auto& [element, times] : part.elements) {
    const auto found = whole.elements.find(element);
    if (found == whole.elements.end() || found->second < times) return false;
  }
  for (const auto& [key, value] : part.values) {
    const auto found = whole.values.find(key);
    if (found == whole.values.end() || found->second != value) return false;
  }
  if (part.value && part.value != whole.value) return false;
  return IsSubsequence(part.sequence, whole.sequence);
}

}  // namespace fairlead::lin
