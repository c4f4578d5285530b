// Tests of explore/idle_sites.h.

#include "explore/idle_sites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::explore {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(IdleSites, TheFirstProfileSaysWhatIsNoPoint) {
  IdleSites sites;
  EXPECT_THAT(sites.For(Sites::kShared).idle, IsEmpty());
  sites.Learn({.idle = {1, 2}, .needed = {3, 4}, .ordered = {4}, .calm = {}});
  sites.Learn({.idle = {5}, .needed = {6}, .ordered = {6}, .calm = {}});
  EXPECT_THAT(sites.For(Sites::kShared).idle, ElementsAre(1, 2));
  EXPECT_THAT(sites.For(Sites::kShared).ordered, ElementsAre(4));
}

TEST(IdleSites, WhatALaterProfileSeesOtherwiseIsAPoint) {
  IdleSites sites;
  sites.Learn(
      {.idle = {1, 2}, .needed = {3, 4}, .ordered = {3, 4}, .calm = {}});
  sites.Learn({.idle = {}, .needed = {2, 4}, .ordered = {2}, .calm = {}});
  EXPECT_THAT(sites.For(Sites::kShared).idle, ElementsAre(1));
  EXPECT_THAT(sites.For(Sites::kShared).ordered, ElementsAre(3));
}

TEST(IdleSites, ProfilesAreRareOnceTheyShowNothingNew) {
  const SiteUse nothing = {
      .idle = {}, .needed = {3}, .ordered = {}, .calm = {}};
  IdleSites sites;
  sites.Learn({.idle = {1, 2}, .needed = {3}, .ordered = {}, .calm = {}});
  sites.Learn(nothing);
  sites.Learn(nothing);
  sites.Learn({.idle = {}, .needed = {2}, .ordered = {}, .calm = {}});
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(sites.WantsProfile(7));
    sites.Learn(nothing);
  }
  EXPECT_FALSE(sites.WantsProfile(7));
  EXPECT_TRUE(sites.WantsProfile(8));
  EXPECT_FALSE(IdleSites().WantsProfile(65));
}

TEST(IdleSites, WhatDidNotRaceIsNoPointWhereRacesAreAskedFor) {
  using Ids = std::vector<uint64_t>;
  IdleSites sites;
  sites.Learn(
      {.idle = {1}, .needed = {2, 3, 4}, .ordered = {2}, .calm = Ids{2, 3}});
  EXPECT_THAT(sites.For(Sites::kShared).ordered, ElementsAre(2));
  EXPECT_THAT(sites.For(Sites::kRacy).ordered, ElementsAre(2, 3));
  EXPECT_THAT(sites.For(Sites::kRacy).idle, ElementsAre(1));
  sites.Learn({.idle = {}, .needed = {3}, .ordered = {}, .calm = Ids{}});
  EXPECT_THAT(sites.For(Sites::kRacy).ordered, ElementsAre(2));
}

}  // namespace
}  // namespace fairlead::explore
