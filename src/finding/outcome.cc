#include "finding/outcome.h"

namespace fairlead::finding {

std::string_view WordOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kCrash:
      return "crash";
    case Outcome::kDeadlock:
      return "deadlock";
    case Outcome::kWrongEnd:
      return "wrong end";
    case Outcome::kHang:
      return "hang";
    case Outcome::kNothing:
      return "nothing observable";
    case Outcome::kNotRealised:
      return "not realised";
    case Outcome::kNotForced:
      return "not forced";
  }
  return "not forced";
}

Outcome OutcomeOf(Kind kind) {
  switch (kind) {
    case Kind::kDeadlock:
    case Kind::kLostWakeup:
      return Outcome::kDeadlock;
    case Kind::kTest:
    case Kind::kExit:
    case Kind::kClient:
    case Kind::kOutput:
    case Kind::kJudge:
    case Kind::kWrongAnswer:
    case Kind::kCorruptedState:
    case Kind::kMisuse:
      return Outcome::kWrongEnd;
    case Kind::kLivelock:
      return Outcome::kHang;
    case Kind::kSometimes:
    case Kind::kReachable:
    case Kind::kRace:
    case Kind::kDangling:
    case Kind::kNull:
    case Kind::kUninit:
    case Kind::kOverflow:
    case Kind::kAtomicity:
    case Kind::kTogether:
    case Kind::kCondvar:
    case Kind::kCancel:
      return Outcome::kNothing;
    default:
      return Outcome::kCrash;
  }
}

}  // namespace fairlead::finding
