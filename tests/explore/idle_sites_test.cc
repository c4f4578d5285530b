// Tests of explore/plan/idle_sites.h.

#include "explore/plan/idle_sites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::explore {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Planned Wanting(Sites sites) {
  Planned planned;
  planned.sites = sites;
  return planned;
}

TEST(IdleSites, TheFirstProfileSaysWhatIsNoPoint) {
  IdleSites sites;
  EXPECT_THAT(sites.For(Wanting(Sites::kShared)).idle, IsEmpty());
  sites.Learn({.idle = {1, 2}, .needed = {3, 4}, .ordered = {4}, .calm = {}});
  sites.Learn({.idle = {5}, .needed = {6}, .ordered = {6}, .calm = {}});
  EXPECT_THAT(sites.For(Wanting(Sites::kShared)).idle, ElementsAre(1, 2));
  EXPECT_THAT(sites.For(Wanting(Sites::kShared)).ordered, ElementsAre(4));
}

TEST(IdleSites, WhatALaterProfileSeesOtherwiseIsAPoint) {
  IdleSites sites;
  sites.Learn(
      {.idle = {1, 2}, .needed = {3, 4}, .ordered = {3, 4}, .calm = {}});
  sites.Learn({.idle = {}, .needed = {2, 4}, .ordered = {2}, .calm = {}});
  EXPECT_THAT(sites.For(Wanting(Sites::kShared)).idle, ElementsAre(1));
  EXPECT_THAT(sites.For(Wanting(Sites::kShared)).ordered, ElementsAre(3));
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
  EXPECT_THAT(sites.For(Wanting(Sites::kShared)).ordered, ElementsAre(2));
  EXPECT_THAT(sites.For(Wanting(Sites::kRacy)).ordered, ElementsAre(2, 3));
  EXPECT_THAT(sites.For(Wanting(Sites::kRacy)).idle, ElementsAre(1));
  sites.Learn({.idle = {}, .needed = {3}, .ordered = {}, .calm = Ids{}});
  EXPECT_THAT(sites.For(Wanting(Sites::kRacy)).ordered, ElementsAre(2));
}

TEST(IdleSites, SettledOnesTellNothingWhereTheyAreNotWanted) {
  IdleSites sites;
  sites.Learn({.idle = {1},
               .needed = {2, 3, 4},
               .ordered = {2, 3},
               .calm = {},
               .settled = {{2, 12}, {4, 14}}});
  EXPECT_THAT(sites.For(Wanting(Sites::kShared)).idle, ElementsAre(1));
  const Planned profile = Wanting(Sites::kUnsettled);
  EXPECT_THAT(sites.For(profile).idle, ElementsAre(1, 2, 4));
  EXPECT_THAT(sites.For(profile).ordered, ElementsAre(3));
  // Seen otherwise once: never again.
  sites.Learn({.idle = {},
               .needed = {4, 5},
               .ordered = {},
               .calm = {},
               .settled = {{5, 15}}});
  EXPECT_THAT(sites.For(profile).idle, ElementsAre(1, 2, 5));
  sites.Learn({.idle = {},
               .needed = {4},
               .ordered = {},
               .calm = {},
               .settled = {{4, 14}}});
  EXPECT_THAT(sites.For(profile).idle, ElementsAre(1, 2, 5));
}

TEST(IdleSites, SettledOnesTellIfTheyAreToBeForced) {
  IdleSites sites;
  sites.Learn({.idle = {1},
               .needed = {2, 3},
               .ordered = {2},
               .calm = {},
               .settled = {{2, 12}}});
  Planned force = Wanting(Sites::kUnsettled);
  force.target.resize(1);
  force.target[0].num_steps = 2;
  force.target[0].steps[0].anchor = abi::SiteId{13};
  EXPECT_THAT(sites.For(force).idle, ElementsAre(1, 2));
  force.target[0].steps[1].anchor = abi::SiteId{12};
  EXPECT_THAT(sites.For(force).idle, ElementsAre(1));
  EXPECT_THAT(sites.For(force).ordered, ElementsAre(2));
}

}  // namespace
}  // namespace fairlead::explore
