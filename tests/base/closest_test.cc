#include "base/closest.h"

#include <gtest/gtest.h>

#include <vector>

namespace fairlead {
namespace {

struct Case {
  const char* word;
  const char* closest;  // "" = none
};

const std::vector<std::string> kKnown = {
    "--executions", "--seed", "--strategy", "--store", "--stdin",
    "--time",       "random", "replay",     "test",    "show"};

constexpr Case kCases[] = {
    {"--sede", "--seed"},         // exchanged
    {"--sed", "--seed"},          // the beginning
    {"--exec", "--executions"},   // … of a long word
    {"--stratgy", "--strategy"},  // one letter less
    {"--timee", "--time"},        // … or more
    {"rendom", "random"},         // another letter
    {"tset", "test"},
    {"frobnicate", ""},
    {"--", ""},
    {"-x", ""},
    {"", ""},
    {"xx", ""},
};

TEST(Closest, FindsWhatWasMeant) {
  for (const Case& each : kCases) {
    EXPECT_EQ(ClosestOf(each.word, kKnown), each.closest) << each.word;
  }
  EXPECT_EQ(ClosestOf(std::string(100'000, 'a'), kKnown), "");
  EXPECT_EQ(DidYouMean("tset", kKnown), "did you mean 'test'?");
  EXPECT_EQ(DidYouMean("frobnicate", kKnown), "");
}

}  // namespace
}  // namespace fairlead
