#include "explore/watch/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::explore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Profile, IdsAreReadSortedAndOnce) {
  const Result<Profile> profile = ParseProfileUntrusted(
      "fairlead profile 1\n"
      "build: 6f0c /home/me/app\n"
      "idle: 0xff  // f app.c:3\n"
      "idle: 0x10\n"
      "idle: 0xff\n");
  ASSERT_TRUE(profile);
  EXPECT_THAT(profile->idle_sites, ElementsAre(0x10, 0xff));
}

TEST(Profile, OrderedSitesAreReadBesideIdleOnes) {
  const Result<Profile> profile = ParseProfileUntrusted(
      "fairlead profile 2\n"
      "idle: 0x10\n"
      "ordered: 0x30\n"
      "ordered: 0x20  // f app.c:3\n");
  ASSERT_TRUE(profile);
  EXPECT_THAT(profile->idle_sites, ElementsAre(0x10));
  EXPECT_THAT(profile->ordered_sites, ElementsAre(0x20, 0x30));
}

TEST(Profile, AnotherFileIsRefused) {
  EXPECT_FALSE(ParseProfileUntrusted("fairlead schedule 1\n"));
  EXPECT_FALSE(ParseProfileUntrusted(""));
}

TEST(Profile, ALaterFormatIsRefusedByNumber) {
  const Result<Profile> profile =
      ParseProfileUntrusted("fairlead profile 99\n");
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().Text(), HasSubstr("99"));
}

TEST(Profile, ALineWithoutANumberIsToldByItsPlace) {
  const Result<Profile> profile =
      ParseProfileUntrusted("fairlead profile 1\nidle: 0xzz\n");
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().Text(), HasSubstr("2:9"));
}

TEST(Profile, OneThatIsNotWholeIsRefused) {
  const std::string whole =
      "fairlead profile 3\nidle: 0x10\nordered: 0x20\nend: 2\n";
  EXPECT_TRUE(ParseProfileUntrusted(whole));
  for (size_t size = 0; size + 2 < whole.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_FALSE(ParseProfileUntrusted(whole.substr(0, size)));
  }
  EXPECT_FALSE(
      ParseProfileUntrusted("fairlead profile 3\nordered: 0x20\nend: 2\n"));
}

TEST(Profile, FitsByBuildThenByName) {
  const Result<Profile> profile = ParseProfileUntrusted(
      "fairlead profile 1\n"
      "build: 6f0c /home/me/app\n");
  ASSERT_TRUE(profile);
  Program program;
  program.instrumented = true;
  program.path = "/tmp/other";
  program.build_id = "6f0c";
  EXPECT_EQ(FitOf(*profile, program), ProfileFit::kFits);
  program.build_id = "7777";
  EXPECT_EQ(FitOf(*profile, program), ProfileFit::kOtherProgram);
  program.path = "/tmp/app";
  EXPECT_EQ(FitOf(*profile, program), ProfileFit::kOtherBuild);
}

}  // namespace
}  // namespace fairlead::explore
