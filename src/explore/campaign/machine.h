// explore/campaign/machine.h
//
// What this machine allows: kernel, container and the parts of Fairlead that
// are installed. Each ability is tried out where that is harmless, not read
// from a version number: containers forbid what kernels have.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_MACHINE_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_MACHINE_H_

#include <string>
#include <string_view>
#include <vector>

namespace fairlead::explore {

enum class Need {
  kNone,    // good to know; neither good nor bad
  kUseful,  // without it something is slower or missing
  kVital,   // without it nothing runs under control
};

struct Ability {
  std::string_view name;  // a fixed word, the same in text and JSON
  Need need = Need::kUseful;
  bool there = false;
  std::string found;   // what was seen
  std::string remedy;  // what to do when it is not there; "" = nothing
};

// Takes some 50 ms: the last two run `true` under control, on each carrier.
std::vector<Ability> ExamineMachine();

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_MACHINE_H_
