// Which units another schedule could mix: order, locks, and the two rules.

#include "analysis/asset/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace fairlead::analysis::asset {
namespace {

using order::AccessKind;
using order::HeldLock;
using order::LockMode;

constexpr trace::Tid kU{1};
constexpr trace::Tid kOther{2};

// A lock by its address and the section of it.
HeldLock Held(uint64_t lock, uint64_t section,
              LockMode mode = LockMode::kExclusive) {
  HeldLock held;
  held.lock = lock;
  held.mode = mode;
  held.section = section;
  return held;
}

UnitStep Step(trace::Tid tid, AccessKind kind, uint32_t field,
              std::vector<HeldLock> locks = {}) {
  UnitStep step;
  step.field = field;
  step.kind = kind;
  step.spot.tid = tid;
  step.epoch = order::Epoch(tid, 1);
  step.locks = std::make_shared<const std::vector<HeldLock>>(std::move(locks));
  return step;
}

std::set<int> NumbersOf(const std::vector<Violation>& violations) {
  std::set<int> numbers;
  for (const Violation& each : violations) numbers.insert(each.pattern->number);
  return numbers;
}

// The account: u reads both fields, u' writes both, all under the lock x.
constexpr uint64_t kX = 0x100;
UnitSteps Copy(uint64_t first_section, uint64_t second_section) {
  return {Step(kU, AccessKind::kRead, 0, {Held(kX, first_section)}),
          Step(kU, AccessKind::kRead, 1, {Held(kX, second_section)})};
}
UnitSteps Credit() {
  return {Step(kOther, AccessKind::kWrite, 0, {Held(kX, 9)}),
          Step(kOther, AccessKind::kWrite, 1, {Held(kX, 9)})};
}

TEST(AssetCompare, TwoSectionsOfTheCopyLetTheCreditBetween) {
  for (const LockRule rule : {LockRule::kExact, LockRule::kPaper}) {
    const auto found = Compare(Copy(1, 2), Credit(), rule);
    ASSERT_EQ(NumbersOf(found), std::set<int>{9});
    EXPECT_EQ(found[0].opens, std::vector<uint64_t>{kX});
  }
}

TEST(AssetCompare, OneSectionKeepsTheCreditOut) {
  for (const LockRule rule : {LockRule::kExact, LockRule::kPaper}) {
    EXPECT_TRUE(Compare(Copy(1, 1), Credit(), rule).empty());
  }
  EXPECT_TRUE(CouldMatch(Copy(1, 1), Credit()));
}

// isLegal holds nothing over its two reads, but the other thread is started
// later: only the order rejects it (4.1.3).
TEST(AssetCompare, WhatIsStartedLaterDoesNotComeBetween) {
  UnitSteps legal = {Step(kU, AccessKind::kRead, 0),
                     Step(kU, AccessKind::kRead, 1)};
  UnitSteps credit = Credit();
  EXPECT_EQ(NumbersOf(Compare(legal, credit, LockRule::kExact)),
            std::set<int>{9});
  auto clock = std::make_shared<order::VectorClock>();
  clock->Set(kU, 1);
  for (UnitStep& step : credit) step.clock = clock;
  EXPECT_TRUE(Compare(legal, credit, LockRule::kExact).empty());
  EXPECT_TRUE(Compare(legal, credit, LockRule::kPaper).empty());
}

// The same object, or the interest could come between (4.1.3): within one
// section of the copy nothing of the credit can.
TEST(AssetCompare, LocksAloneKeepTheCreditOutOfOneSection) {
  const UnitSteps copy = {Step(kU, AccessKind::kRead, 0, {Held(kX, 1)}),
                          Step(kU, AccessKind::kWrite, 0, {Held(kX, 1)})};
  EXPECT_TRUE(Compare(copy, Credit(), LockRule::kExact).empty());
}

TEST(AssetCompare, ThePapersRuleTakesAnyReleaseOfSeveralLocks) {
  constexpr uint64_t kOuter = 0x200;
  const auto both = [&](trace::Tid tid, AccessKind kind, uint32_t field,
                        uint64_t inner) {
    return Step(tid, kind, field, {Held(kOuter, 1), Held(kX, inner)});
  };
  const UnitSteps u = {both(kU, AccessKind::kRead, 0, 2),
                       both(kU, AccessKind::kRead, 1, 3)};
  UnitSteps other = {both(kOther, AccessKind::kWrite, 0, 8),
                     both(kOther, AccessKind::kWrite, 1, 8)};
  EXPECT_FALSE(Compare(u, other, LockRule::kPaper).empty());
  EXPECT_TRUE(Compare(u, other, LockRule::kExact).empty());
}

TEST(AssetCompare, ThePapersRuleTakesALockThatThreeOfFourHold) {
  const UnitSteps other = {Step(kOther, AccessKind::kWrite, 0, {Held(kX, 9)}),
                           Step(kOther, AccessKind::kWrite, 1)};
  EXPECT_FALSE(Compare(Copy(1, 1), other, LockRule::kPaper).empty());
  EXPECT_TRUE(Compare(Copy(1, 1), other, LockRule::kExact).empty());
}

TEST(AssetCompare, ReadersOfAReadWriteLockDoNotKeepReadersOut) {
  const auto step = [](trace::Tid tid, AccessKind kind, uint32_t field,
                       LockMode mode) {
    return Step(tid, kind, field, {Held(kX, 1, mode)});
  };
  const UnitSteps writes = {step(kU, AccessKind::kWrite, 0, LockMode::kShared),
                            step(kU, AccessKind::kWrite, 1, LockMode::kShared)};
  UnitSteps reads = {step(kOther, AccessKind::kRead, 0, LockMode::kShared),
                     step(kOther, AccessKind::kRead, 1, LockMode::kShared)};
  EXPECT_TRUE(NumbersOf(Compare(writes, reads, LockRule::kExact)).contains(8));
  for (UnitStep& each : reads) {
    each = step(kOther, AccessKind::kRead, each.field, LockMode::kExclusive);
  }
  EXPECT_TRUE(Compare(writes, reads, LockRule::kExact).empty());
}

// Of 7, 10 and 11 the windows of both are looked at: here that of u is open.
TEST(AssetCompare, TheWindowOfTheOtherCountsWhereBothAreInterleaved) {
  const UnitSteps u = {Step(kU, AccessKind::kWrite, 0, {Held(kX, 1)}),
                       Step(kU, AccessKind::kWrite, 1, {Held(kX, 2)})};
  const auto other = [](uint64_t second) {
    return UnitSteps{Step(kOther, AccessKind::kWrite, 1, {Held(kX, 8)}),
                     Step(kOther, AccessKind::kWrite, 0, {Held(kX, second)})};
  };
  EXPECT_FALSE(NumbersOf(Compare(u, other(8), LockRule::kExact)).contains(7));
  EXPECT_TRUE(NumbersOf(Compare(u, other(8), LockRule::kPaper)).contains(7));
  EXPECT_TRUE(NumbersOf(Compare(u, other(9), LockRule::kExact)).contains(7));
}

// By the definition: all choices of steps, tried one by one.
TEST(AssetCompare, FindsWhatEveryChoiceOfStepsFinds) {
  constexpr AccessKind kKinds[] = {AccessKind::kRead, AccessKind::kWrite,
                                   AccessKind::kUpdate};
  const auto fits = [](const UnitStep& step, Way way) {
    return way == Way::kRead ? order::Reads(step.kind)
                             : order::Writes(step.kind);
  };
  for (int code = 0; code < 6 * 6 * 6 * 6; ++code) {
    int rest = code;
    const auto next = [&](trace::Tid tid) {
      const int digit = rest % 6;
      rest /= 6;
      return Step(tid, kKinds[digit % 3], static_cast<uint32_t>(digit / 3));
    };
    const UnitSteps u = {next(kU), next(kU)};
    const UnitSteps other = {next(kOther), next(kOther)};
    std::set<int> wanted;
    for (const Pattern& pattern : Patterns()) {
      // Two steps of each; of patterns 1 to 5 one step of u'.
      const auto side = [&](size_t i) { return pattern.steps[i].side; };
      for (size_t alone = 0; alone < 2; ++alone) {
        size_t at[2] = {0, pattern.form == Form::kAlone ? alone : 0};
        bool all = true;
        std::vector<uint32_t> fields;
        for (size_t i = 0; i < pattern.num_steps(); ++i) {
          const UnitStep& step =
              side(i) == Side::kFirst ? u[at[0]++] : other[at[1]++];
          all = all && fits(step, pattern.steps[i].way);
          fields.push_back(step.field);
        }
        for (size_t i = 0; i < pattern.num_steps(); ++i) {
          for (size_t j = 0; j < i; ++j) {
            all = all &&
                  (fields[i] == fields[j]) ==
                      (pattern.steps[i].location == pattern.steps[j].location);
          }
        }
        if (all) wanted.insert(pattern.number);
      }
    }
    ASSERT_EQ(NumbersOf(Compare(u, other, LockRule::kExact)), wanted) << code;
  }
}

}  // namespace
}  // namespace fairlead::analysis::asset
