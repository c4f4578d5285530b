#include "explore/watch/program_state.h"

#include <fairlead/detail/table.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"

namespace fairlead::explore {
namespace {

using trace::EventKind;

// What a payload holds besides the component's name, which comes first and ends
// with a zero byte; all of it is the name of a component that is cleared.
struct Parts {
  std::string_view name;
  std::string_view bytes;
};

Parts PartsOf(std::string_view payload) {
  const size_t end = payload.find('\0');
  if (end == std::string_view::npos) return {payload, {}};
  return {payload.substr(0, end), payload.substr(end + 1)};
}

void Remove(StateComponent& component, const std::string& bytes) {
  if (component.kind == FAIRLEAD_MAP) {
    component.values.erase(bytes);
    return;
  }
  if (const auto at = std::ranges::find(component.sequence, bytes);
      at != component.sequence.end()) {
    component.sequence.erase(at);
    return;
  }
  const auto found = component.elements.find(bytes);
  if (found == component.elements.end()) return;
  if (--found->second == 0) component.elements.erase(found);
}

std::string Quoted(std::string_view bytes) {
  return fmt::format("'{}'", PrintableLine(bytes));
}

// Of elements by number and values by key alike: how `found` differs.
template <typename Value>
std::string SayDifference(const std::map<std::string, Value>& wanted,
                          const std::map<std::string, Value>& found) {
  for (const auto& [key, value] : wanted) {
    const auto other = found.find(key);
    if (other == found.end()) return "lacks " + Quoted(key);
    if (other->second != value) {
      return fmt::format("has another value or number of {}", Quoted(key));
    }
  }
  for (const auto& [key, value] : found) {
    if (!wanted.contains(key))
      return fmt::format("has {} as well", Quoted(key));
  }
  return "";
}

std::string SayDifference(const std::vector<std::string>& wanted,
                          const std::vector<std::string>& found) {
  const auto [mine, theirs] = std::ranges::mismatch(wanted, found);
  const auto number = mine - wanted.begin() + 1;
  if (mine == wanted.end() && theirs == found.end()) return "";
  if (mine == wanted.end()) {
    return fmt::format("goes on with {}", Quoted(*theirs));
  }
  if (theirs == found.end()) {
    return fmt::format("ends before {}", Quoted(*mine));
  }
  return fmt::format("has {} instead of {} as element {}", Quoted(*theirs),
                     Quoted(*mine), number);
}

std::string SayDifference(const StateComponent& wanted,
                          const StateComponent& found) {
  for (const std::string& text :
       {SayDifference(wanted.elements, found.elements),
        SayDifference(wanted.values, found.values),
        SayDifference(wanted.sequence, found.sequence)}) {
    if (!text.empty()) return text;
  }
  if (wanted.value == found.value) return "";
  return fmt::format("is {} instead of {}", Quoted(found.value.value_or("")),
                     Quoted(wanted.value.value_or("")));
}

}  // namespace

void ProgramState::OnEvent(const trace::Event& event) {
  if (event.kind < EventKind::kRequestBegin) return;  // nearly all of them
  const auto [name, bytes] = PartsOf(event.payload);
  std::string element(bytes);
  switch (event.kind) {
    case EventKind::kComponent:
      Of(name).kind = event.value;
      return;
    case EventKind::kStateAdd: {
      StateComponent& component = Of(name);
      // A walk function adds to whatever its component is.
      if (component.kind == FAIRLEAD_SEQUENCE) {
        component.sequence.push_back(std::move(element));
        return;
      }
      if (component.kind == FAIRLEAD_REGISTER) {
        component.value = std::move(element);
        return;
      }
      uint64_t& number = component.elements[std::move(element)];
      number = component.kind == FAIRLEAD_SET ? 1 : number + 1;
      return;
    }
    case EventKind::kStateRemove:
      Remove(Of(name), element);
      return;
    case EventKind::kStateAppend:
      Of(name).sequence.push_back(std::move(element));
      return;
    case EventKind::kStatePut:
      if (event.value > element.size()) return;
      Of(name).values[element.substr(0, event.value)] =
          element.substr(event.value);
      return;
    case EventKind::kStateSet:
      Of(name).value = std::move(element);
      return;
    case EventKind::kStateClear: {
      StateComponent& component = Of(name);
      component = {.kind = component.kind};
      return;
    }
    // Requests, units and sets are no state.
    case EventKind::kRequestBegin:
    case EventKind::kRequestEnd:
    case EventKind::kReady:
    case EventKind::kQuiescent:
    case EventKind::kUnitBegin:
    case EventKind::kUnitEnd:
    case EventKind::kSetAdd:
    case EventKind::kGuardAddress:
    case EventKind::kSession:
#define FL_OTHER_kRequest(name)
#include "abi/other_groups.inc"
      return;
  }
}

std::string FirstDifference(const ProgramState& wanted,
                            const ProgramState& found) {
  for (const auto& [name, component] : wanted.components()) {
    const auto other = found.components().find(name);
    const std::string difference = SayDifference(
        component,
        other == found.components().end() ? StateComponent() : other->second);
    if (!difference.empty()) return PrintableLine(name) + " " + difference;
  }
  for (const auto& [name, component] : found.components()) {
    if (wanted.components().contains(name)) continue;
    const std::string difference = SayDifference(StateComponent(), component);
    if (!difference.empty()) return PrintableLine(name) + " " + difference;
  }
  return "";
}

}  // namespace fairlead::explore
