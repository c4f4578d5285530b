// finding/outcome.h
//
// What came of an interleaving, as a user ranks it: the worst first. A failure
// has the outcome of its kind (finding/kinds.inc).

#ifndef FAIRLEAD_FINDING_OUTCOME_H_
#define FAIRLEAD_FINDING_OUTCOME_H_

#include <cstdint>
#include <string_view>

#include "finding/finding.h"

namespace fairlead::finding {

// In the order in which they are shown.
enum class Outcome : uint8_t {
  kCrash,        // also what the program itself calls wrong
  kDeadlock,     // also a wake-up that was lost
  kWrongEnd,     // exit code, output, misuse of a primitive
  kHang,         // it goes on, and gets nowhere
  kNothing,      // it happened, and nobody could tell
  kNotRealised,  // it did not happen
  kNotForced,
};

std::string_view WordOf(Outcome outcome);
Outcome OutcomeOf(Kind kind);

// Whether it is shown without being asked for.
constexpr bool IsObservable(Outcome outcome) {
  return outcome < Outcome::kNothing;
}

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_OUTCOME_H_
