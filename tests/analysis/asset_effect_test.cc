// What two units left, against the same two one after the other.

#include "analysis/asset/effect.h"

#include <gtest/gtest.h>

namespace fairlead::analysis::asset {
namespace {

constexpr StateKey kLow = {0, 0, 0, false};
constexpr StateKey kHigh = {0, 1, 8, false};

Effect Left(UnitOrder order, uint64_t low, uint64_t high) {
  Effect effect;
  effect.order = order;
  effect.before = {{kLow, {0}}, {kHigh, {0}}};
  effect.after = {{kLow, {low}}, {kHigh, {high}}};
  effect.names = {{kLow, "`low`"}, {kHigh, "`high`"}};
  return effect;
}

using Effects = std::vector<Effect>;
Effects Twice(const Effect& effect) { return {effect, effect}; }
const Effect kOne = Left(UnitOrder::kFirstFirst, 1, 2);
const Effect kOther = Left(UnitOrder::kOtherFirst, 100, 200);

TEST(AssetEffect, WhatNeitherOrderLeavesIsOutOfStep) {
  const Effect mixed = Left(UnitOrder::kMixed, 100, 2);
  EXPECT_NE(Difference(mixed, Twice(kOne), Twice(kOther)), "");
}

TEST(AssetEffect, WhatOneOrderLeavesIsHarmless) {
  for (const auto& [low, high] : {std::pair(1, 2), std::pair(100, 200)}) {
    const Effect mixed = Left(UnitOrder::kMixed, low, high);
    EXPECT_EQ(Difference(mixed, Twice(kOne), Twice(kOther)), "");
  }
}

TEST(AssetEffect, AnOrderThatCannotBeHadSaysNothing) {
  const Effect mixed = Left(UnitOrder::kMixed, 100, 2);
  EXPECT_EQ(Difference(mixed, Twice(kOne), {}), "");
  EXPECT_EQ(Difference(mixed, Twice(kOne), {kOther}), "");
  EXPECT_EQ(Difference(mixed, Twice(kOne), Twice(kOne)), "");
}

TEST(AssetEffect, WhatDiffersBetweenRepetitionsIsLeftOut) {
  const Effect mixed = Left(UnitOrder::kMixed, 1, 7);
  const Effects one = {kOne, Left(UnitOrder::kFirstFirst, 1, 3)};
  EXPECT_EQ(Difference(mixed, one, Twice(kOther)), "");
}

TEST(AssetEffect, AnotherStateAtTheBeginningSaysNothing) {
  const Effect mixed = Left(UnitOrder::kMixed, 100, 2);
  Effect elsewhere = kOne;
  elsewhere.before[kLow] = {5};
  EXPECT_EQ(Difference(mixed, Twice(elsewhere), Twice(kOther)), "");
}

TEST(AssetEffect, WhoeverElseTouchedTheSetSpoilsIt) {
  Effect mixed = Left(UnitOrder::kMixed, 100, 2);
  mixed.disturbed = true;
  EXPECT_EQ(Difference(mixed, Twice(kOne), Twice(kOther)), "");
}

}  // namespace
}  // namespace fairlead::analysis::asset
