// Tests of base/result.h.

#include "base/result.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead {
namespace {

Result<int> Half(int n) {
  if (n % 2 != 0) {
    return Error(ErrorCode::kMalformed)
        .Say("{} is odd", n)
        .Hint("give an even number");
  }
  return n / 2;
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_EQ(Half(4).value(), 2);
  EXPECT_EQ(Half(3).error().code(), ErrorCode::kMalformed);
}

TEST(Result, PlacesNestFromTheOutsideIn) {
  const Error inner = Half(3).error().In("12:4").In("a.sched");
  EXPECT_EQ(inner.Text(), "a.sched: 12:4: 3 is odd; give an even number");
}

TEST(Result, CodesDecideTheExitStatus) {
  EXPECT_EQ(ExitCodeOf(ErrorCode::kUsage), 2);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kEnvironment), 3);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kUnknown), 4);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kOurBug), 70);
}

}  // namespace
}  // namespace fairlead
