// explore/judge/uncontrolled.h
//
// What a program did that no schedule controls, in words, with what can be done
// about it; and annotations that have no effect.

#ifndef FAIRLEAD_EXPLORE_JUDGE_UNCONTROLLED_H_
#define FAIRLEAD_EXPLORE_JUDGE_UNCONTROLLED_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abi/control.h"
#include "explore/names/namer.h"

namespace fairlead::explore {

struct UncontrolledSource {
  std::string text;
  uint64_t number = 0;      // how often
  std::string_view remedy;  // what the user can do
};
// Without `namer`, places are left out.
std::vector<UncontrolledSource> UncontrolledSources(const abi::Outcome& outcome,
                                                    Namer* namer);

// The same, one line each.
std::vector<std::string> UncontrolledLines(const abi::Outcome& outcome,
                                           Namer* namer);

// The first call in which the program waited without our knowing: "system call
// 35 by nap (a.c:7)".
std::string BlockedCallText(const abi::Outcome& outcome, Namer& namer);

// Annotations that it called in vain, by name.
std::vector<std::string> UnheededAnnotations(const abi::Outcome& outcome);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_UNCONTROLLED_H_
