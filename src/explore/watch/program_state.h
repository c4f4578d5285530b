// explore/watch/program_state.h
//
// The state of a program, as its annotations give it (fairlead_component and
// fairlead_state_…): components by name, each with the elements that it has
// now. Two executions that end with equal states have done the same, whatever
// the order in which they did it.
//
//   kind       elements                               order counts
//   set        bytes, each once                       no
//   multiset   bytes, each as often as it was added   no
//   sequence   bytes                                  yes
//   map        keys, each with its value              no
//   register   one value                              -
//
// Incomplete: what a program changes and does not annotate is not in it.

#ifndef FAIRLEAD_EXPLORE_WATCH_PROGRAM_STATE_H_
#define FAIRLEAD_EXPLORE_WATCH_PROGRAM_STATE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/watch/event_stream.h"

namespace fairlead::explore {

struct StateComponent {
  // As fairlead_component said; none = it did not: a multiset or, once it is
  // appended to, a sequence.
  std::optional<uint64_t> kind = {};
  std::vector<std::string> sequence = {};
  std::map<std::string, uint64_t> elements = {};   // how often, never 0
  std::map<std::string, std::string> values = {};  // of a map, by key
  std::optional<std::string> value = {};           // of a register

  bool operator==(const StateComponent&) const = default;
};

class ProgramState final : public EventObserver {
 public:
  void OnEvent(const trace::Event& event) override;

  // By name. Events that make no sense have changed nothing.
  const std::map<std::string, StateComponent>& components() const {
    return components_;
  }
  bool operator==(const ProgramState& other) const {
    return components_ == other.components_;
  }

 private:
  StateComponent& Of(std::string_view name) {
    return components_[std::string(name)];
  }

  std::map<std::string, StateComponent> components_;
};

// A sentence about the first component in which they differ; "" = they do not.
std::string FirstDifference(const ProgramState& wanted,
                            const ProgramState& found);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_PROGRAM_STATE_H_
