#include "finding/outcome.h"

#include <gtest/gtest.h>

#include <vector>

namespace fairlead::finding {
namespace {

constexpr Kind kKinds[] = {
#define FL_FINDING(name, word, severity, title) Kind::name,
#include "finding/kinds.inc"
#undef FL_FINDING
};

std::vector<Kind> KindsWith(Outcome outcome) {
  std::vector<Kind> kinds;
  for (const Kind kind : kKinds) {
    if (OutcomeOf(kind) == outcome) kinds.push_back(kind);
  }
  return kinds;
}

TEST(Outcome, RanksACrashAboveADeadlockAboveAWrongEndAboveAHang) {
  EXPECT_LT(OutcomeOf(Kind::kCrash), OutcomeOf(Kind::kDeadlock));
  EXPECT_LT(OutcomeOf(Kind::kDeadlock), OutcomeOf(Kind::kExit));
  EXPECT_LT(OutcomeOf(Kind::kOutput), OutcomeOf(Kind::kLivelock));
  EXPECT_LT(OutcomeOf(Kind::kLivelock), Outcome::kNothing);
}

TEST(Outcome, IsKnownOfEveryKind) {
  EXPECT_EQ(KindsWith(Outcome::kDeadlock),
            (std::vector{Kind::kDeadlock, Kind::kLostWakeup}));
  EXPECT_EQ(KindsWith(Outcome::kWrongEnd),
            (std::vector{Kind::kTest, Kind::kExit, Kind::kClient, Kind::kOutput,
                         Kind::kJudge, Kind::kWrongAnswer,
                         Kind::kCorruptedState, Kind::kMisuse}));
  EXPECT_EQ(KindsWith(Outcome::kHang), std::vector{Kind::kLivelock});
  EXPECT_EQ(KindsWith(Outcome::kNothing),
            (std::vector{Kind::kSometimes, Kind::kReachable, Kind::kRace,
                         Kind::kTogether, Kind::kDangling, Kind::kNull,
                         Kind::kUninit, Kind::kOverflow, Kind::kAtomicity,
                         Kind::kCondvar, Kind::kCancel}));
  EXPECT_TRUE(KindsWith(Outcome::kNotRealised).empty());
  EXPECT_TRUE(KindsWith(Outcome::kNotForced).empty());
}

TEST(Outcome, IsShownUnaskedWhereSomethingCouldBeTold) {
  EXPECT_TRUE(IsObservable(Outcome::kCrash));
  EXPECT_TRUE(IsObservable(Outcome::kHang));
  EXPECT_FALSE(IsObservable(Outcome::kNothing));
  EXPECT_FALSE(IsObservable(Outcome::kNotRealised));
}

}  // namespace
}  // namespace fairlead::finding
