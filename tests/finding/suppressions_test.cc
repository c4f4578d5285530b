#include "finding/suppressions.h"

#include <gmock/gmock.h>

namespace fairlead::finding {
namespace {

using testing::HasSubstr;

Finding CrashIn(const char* function, const char* file) {
  Finding finding;
  finding.kind = Kind::kCrash;
  finding.message = "the program was ended by SIGSEGV";
  finding.sites = {{.function = function, .place = {file, 3, 0}}};
  return finding;
}

TEST(Suppressions, MatchKindFunctionFileAndMessage) {
  const auto rules = Suppressions::ParseUntrusted(
      "# known\n"
      "\n"
      "crash Pool::*\n"
      "* third_party/*\n"
      "deadlock *\n"
      "crash *SIGBUS*\n");
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->Match(CrashIn("Pool::Get", "a.c")), "crash Pool::*");
  EXPECT_EQ(rules->Match(CrashIn("f", "third_party/x.c")), "* third_party/*");
  EXPECT_FALSE(rules->Match(CrashIn("f", "a.c")));
}

TEST(Suppressions, MistakesAreToldWithTheirLine) {
  const auto unknown = Suppressions::ParseUntrusted("crash x\ncrush y\n");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().Text(), HasSubstr("2:1: 'crush'"));
  EXPECT_FALSE(Suppressions::ParseUntrusted("crash\n"));
}

}  // namespace
}  // namespace fairlead::finding
