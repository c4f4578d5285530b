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
#include <string>
#include <string_view>

#include "explore/watch/event_stream.h"
#include "lin/component.h"

namespace fairlead::explore {

using StateComponent = lin::Component;

class ProgramState final : public EventObserver {
 public:
  void OnEvent(const trace::Event& event) override;

  // By name. Events that make no sense have changed nothing.
  const lin::Components& components() const { return components_; }
  bool operator==(const ProgramState& other) const {
    return components_ == other.components_;
  }

 private:
  StateComponent& Of(std::string_view name) {
    return components_[std::string(name)];
  }

  lin::Components components_;
};

// A sentence about the first component in which they differ; "" = they do not.
std::string FirstDifference(const ProgramState& wanted,
                            const ProgramState& found);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_PROGRAM_STATE_H_
