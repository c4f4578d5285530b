// What findings mean for who runs the program.

#include "finding/effect.h"

#include <gtest/gtest.h>

namespace fairlead::finding {
namespace {

TEST(Effect, IsSaidOfEachKind) {
  EXPECT_EQ(WordOf(EffectOf(Kind::kDoubleFree)), "crash");
  EXPECT_EQ(WordOf(EffectOf(Kind::kLostWakeup)), "hang");
  EXPECT_EQ(WordOf(EffectOf(Kind::kAlways)), "corrupted state");
  EXPECT_EQ(WordOf(EffectOf(Kind::kOutput)), "wrong answer");
  EXPECT_EQ(WordOf(EffectOf(Kind::kRace)), "suspicious");
}

TEST(Effect, IsCountedTheWorstFirst) {
  EXPECT_EQ(EffectsText({}), "");
  const Kind one[] = {Kind::kDeadlock};
  EXPECT_EQ(EffectsText(one), "1 hang");
  const Kind many[] = {Kind::kRace,     Kind::kDeadlock, Kind::kCrash,
                       Kind::kLivelock, Kind::kMisuse,   Kind::kAssertion};
  EXPECT_EQ(EffectsText(many), "2 crashes, 2 hangs, 2 suspicious");
}

}  // namespace
}  // namespace fairlead::finding
